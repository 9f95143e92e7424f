import { expect, it } from 'vitest'
import { nextTryAfter } from './backoff.ts'

const HOUR = 3_600_000
const FOUR_DAYS = 96 * HOUR
const middle = () => 0.5

it('waits five seconds first, then twice as long each time, and an hour at most', () => {
  const waits = Array.from({ length: 13 }, (_, index) => nextTryAfter(index + 1, FOUR_DAYS, middle))
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600].map((s) => s * 1000))
})

it('is up to a fifth sooner or later, so that what failed together does not come back together', () => {
  expect(nextTryAfter(1, FOUR_DAYS, () => 0)).toBe(4_000)
  expect(nextTryAfter(1, FOUR_DAYS, () => 0.999_999)).toBe(6_000)
  expect(nextTryAfter(40, FOUR_DAYS, () => 0)).toBe(0.8 * HOUR)
})

it('tries for as long as it is told and gives up then', () => {
  const tries = (limitMs: number): number => {
    let attempts = 1
    while (nextTryAfter(attempts, limitMs, middle) !== null) attempts += 1
    return attempts
  }
  expect(tries(0)).toBe(1)
  // 5 + 10 + 20 seconds lie between the first try and the fourth.
  expect(tries(35_000)).toBe(4)
  expect(tries(35_001)).toBe(5)
  // Ten growing waits take 85 minutes; the rest of four days are hours.
  expect(tries(FOUR_DAYS)).toBe(11 + Math.ceil((FOUR_DAYS - 5_115_000) / HOUR))
})

it('never gives up on a doubtful call, which has no limit', () => {
  expect(nextTryAfter(2_000, Number.POSITIVE_INFINITY, middle)).toBe(HOUR)
})
