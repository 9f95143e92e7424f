import { machineNow, millisecondsSince } from './machine-clock.ts'

/** Often at first, and then ever more rarely: to look costs those who are waited for a part of the machine. */
const FIRST_MS = 20
const LAST_MS = 300
const SHARE = 0.1

const PATIENCE_MS = 20_000

/** Looks again and again until something holds; fails with its name when it does not within the time. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  milliseconds = PATIENCE_MS,
): Promise<void> {
  const patience = createPatience(milliseconds)
  while (!(await holds())) {
    if (patience.isOver()) throw new Error(`waited ${milliseconds} ms in vain: ${what}`)
    await patience.pause()
  }
}

/** What `until` waits by, for other ways to look: each pause is a tenth of the time so far, within bounds. */
export function createPatience(milliseconds = PATIENCE_MS) {
  const start = machineNow()
  const waited = () => millisecondsSince(start)
  return {
    isOver: () => waited() > milliseconds,
    pause: () =>
      new Promise<void>((resolve) =>
        setTimeout(resolve, Math.min(LAST_MS, Math.max(FIRST_MS, waited() * SHARE))),
      ),
  }
}
