import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** Repeats housekeeping now and then; a failure is logged and the next turn tries again. Returns the way to stop. */
export function every(milliseconds: number, log: Log, work: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    work().catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed; it is tried again later'))
  }, milliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

/** Closes one after the other, all of them, and fails at the end with what failed first. */
export async function closeInTurn(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers) await close().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Calls back within the time that is asked for; a call that comes sooner serves as well, and none is made twice. */
export function createAlarm(act: () => void): (milliseconds: number) => void {
  let timer: NodeJS.Timeout | null = null
  let due = 0
  return (milliseconds) => {
    const wished = performance.now() + milliseconds
    if (timer !== null && due <= wished) return
    if (timer !== null) clearTimeout(timer)
    due = wished
    timer = setTimeout(() => {
      timer = null
      act()
    }, milliseconds)
  }
}

/** So long after a signal; for ever while it does not come. */
export async function afterAbort(signal: AbortSignal, milliseconds: number): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await sleep(milliseconds, undefined, { ref: false })
}
