/** Work that has been announced and can be taken back for a while. */
interface Deferred {
  /** The time to take it back is over: it is done now. */
  run(): void
  /** False when it is too late. */
  cancel(): boolean
}

const waiting = new Set<() => Promise<void>>()
const underWay = new Set<Promise<void>>()

/**
 * Holds work back until `run`, but not beyond the page: when that is left or reloaded, the work is done at once. So it
 * must be a request that outlives a page, and must report its own failures.
 */
export function defer(work: () => Promise<void>): Deferred {
  if (waiting.size === 0) window.addEventListener('pagehide', runAll)
  waiting.add(work)
  return {
    run: () => start(work),
    cancel: () => take(work),
  }
}

/** Does now whatever still waits, and answers when all of it is done. */
export async function finishDeferred(): Promise<void> {
  runAll()
  await Promise.all(underWay)
}

function runAll(): void {
  for (const work of [...waiting]) start(work)
}

function start(work: () => Promise<void>): void {
  if (!take(work)) return
  const done = work().finally(() => underWay.delete(done))
  underWay.add(done)
}

function take(work: () => Promise<void>): boolean {
  const wasWaiting = waiting.delete(work)
  if (waiting.size === 0) window.removeEventListener('pagehide', runAll)
  return wasWaiting
}
