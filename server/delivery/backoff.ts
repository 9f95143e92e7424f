/** The first wait is short, for a server that was only busy; later ones suit greylisting and full mailboxes. */
const FIRST_MS = 5_000
const LONGEST_MS = 3_600_000
/** Up to a fifth longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.2

/**
 * How long a delivery that was refused for now waits before its next try, or null when its time is over: `attempts`
 * tries were made, and together they may spread over `limitMs`.
 */
export function nextTryAfter(attempts: number, limitMs: number, random: () => number): number | null {
  if (spentUntil(attempts) >= limitMs) return null
  return Math.round(waitAfter(attempts) * (1 + JITTER * (2 * random() - 1)))
}

const waitAfter = (attempts: number): number =>
  Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LONGEST_MS)

function spentUntil(attempts: number): number {
  let spent = 0
  for (let attempt = 1; attempt < attempts; attempt++) spent += waitAfter(attempt)
  return spent
}
