/** Often at first, and then ever more rarely: to look costs those who are waited for a part of the machine. */
const FIRST_MS = 20
const LAST_MS = 200
const SHARE = 0.05

/** Less than what comes by itself later: a sweep that mends every half minute what was not told must not pass for it. */
const PATIENCE_MS = 20_000

/**
 * Looks again and again until something holds; fails with its name when it does not within the time. Only the pauses
 * between the looks count: where others take the half of a machine, or it stands still, everything takes longer, and a
 * clock on the wall would call that a fault.
 */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  milliseconds = PATIENCE_MS,
): Promise<void> {
  const patience = createPatience(milliseconds)
  while (!(await holds())) {
    if (patience.isOver()) throw new Error(`waited ${milliseconds} ms in vain: ${what}`)
    await patience.pause()
  }
}

/** What `until` waits by, for other ways to look: each pause is a twentieth of those before it, within bounds. */
export function createPatience(milliseconds = PATIENCE_MS) {
  let waited = 0
  return {
    isOver: () => waited > milliseconds,
    async pause(): Promise<void> {
      const next = Math.min(LAST_MS, Math.max(FIRST_MS, waited * SHARE))
      await new Promise((resolve) => setTimeout(resolve, next))
      waited += next
    },
  }
}
