/** How many steps at most lie between the zero line and the top. */
const STEPS = 4
/** What people count in. */
const ROUND = [1, 2, 5, 10] as const

/** The heights at which the chart draws lines: from 0 in equal, round, whole steps to a top that nothing exceeds. */
export function ticksFor(highest: number): number[] {
  const step = roundUp(Math.max(1, highest) / STEPS)
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(value)))
  const factor = ROUND.find((round) => round * power >= value) ?? 10
  return factor * power
}
