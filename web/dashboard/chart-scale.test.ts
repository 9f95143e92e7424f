import { expect, it } from 'vitest'
import { ticksFor } from './chart-scale.ts'

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [9, [0, 5, 10]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1204, [0, 500, 1000, 1500]],
  [1_000_000, [0, 500_000, 1_000_000]],
])('for at most %i draws lines at %j', (highest, ticks) => {
  expect(ticksFor(highest)).toEqual(ticks)
})

it('begins at zero, holds every bar and never crowds, whatever the numbers', () => {
  for (let highest = 0; highest < 5000; highest++) {
    const ticks = ticksFor(highest)
    expect(ticks[0]).toBe(0)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    expect(ticks.length).toBeLessThanOrEqual(5)
    expect(ticks.every(Number.isInteger)).toBe(true)
  }
})
