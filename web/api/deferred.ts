/** Work that has been announced and can be taken back for a while. */
interface Deferred {
  /** The time to take it back is over: it is done now. */
  run(): void
  /** False when it is too late. */
  cancel(): boolean
}

/** As long as a toast is seen: a glance elsewhere takes nothing from anybody. */
const OUT_OF_SIGHT_MS = 5_000
let outOfSight: ReturnType<typeof setTimeout> | undefined

const waiting = new Set<() => Promise<void>>()
const underWay = new Set<Promise<void>>()

/**
 * Holds work back until `run`, but not beyond the page: when that is left or reloaded, the work is done at once, and soon
 * when it is out of sight, where toasts stand still: until somebody looks again the session may be over, or the page thrown
 * away. So it must be a request that outlives a page, and must report its own failures.
 */
export function defer(work: () => Promise<void>): Deferred {
  if (waiting.size === 0) watchPage()
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
  if (waiting.size === 0) watchNoMore()
  return wasWaiting
}

function watchPage(): void {
  window.addEventListener('pagehide', runAll)
  document.addEventListener('visibilitychange', onSight)
}

function watchNoMore(): void {
  window.removeEventListener('pagehide', runAll)
  document.removeEventListener('visibilitychange', onSight)
  clearTimeout(outOfSight)
}

function onSight(): void {
  clearTimeout(outOfSight)
  if (document.visibilityState === 'hidden') outOfSight = setTimeout(runAll, OUT_OF_SIGHT_MS)
}
