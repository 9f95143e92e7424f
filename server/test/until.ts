/** Often at first, and then ever more rarely: to look costs those who are waited for a part of the machine. */
const FIRST_MS = 20
const LAST_MS = 200
const SHARE = 0.05

/** How long to wait before the next look after so much time: a twentieth of it, within bounds. */
export const pause = (waitedMs: number): number => Math.min(LAST_MS, Math.max(FIRST_MS, waitedMs * SHARE))

/** Looks again and again until something holds; fails with its name when it does not within the time. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  milliseconds = 20_000,
): Promise<void> {
  const start = performance.now()
  while (!(await holds())) {
    const waited = performance.now() - start
    if (waited > milliseconds) throw new Error(`waited ${milliseconds} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause(waited)))
  }
}
