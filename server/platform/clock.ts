import type { Log } from './log.ts'

/** Repeats housekeeping now and then; a failure is logged and the next turn tries again. Returns the way to stop. */
export function every(milliseconds: number, log: Log, work: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    work().catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed; it is tried again later'))
  }, milliseconds)
  timer.unref()
  return () => clearInterval(timer)
}
