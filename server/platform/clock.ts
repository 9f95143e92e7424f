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
