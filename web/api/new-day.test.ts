import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onNewDay, untilMidnight } from './new-day.ts'

const HOUR_MS = 3_600_000

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 0, 31, 22) }))
afterEach(() => void vi.useRealTimers())

it('tells when a new day begins, day after day, until nobody wants to hear of it', () => {
  const heard = vi.fn()
  const stop = onNewDay(heard)
  vi.advanceTimersByTime(2 * HOUR_MS - 1)
  expect(heard).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(heard).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(24 * HOUR_MS)
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('does not tell before it, whenever its timer comes', () => {
  const heard = vi.fn()
  const stop = onNewDay(heard)
  vi.setSystemTime(new Date(2026, 0, 31, 21, 30))
  vi.advanceTimersByTime(2 * HOUR_MS)
  expect(heard).not.toHaveBeenCalled()
  vi.advanceTimersByTime(HOUR_MS)
  expect(heard).toHaveBeenCalledTimes(1)
  stop()
})

it('knows how long a day lasts', () => {
  expect(untilMidnight(new Date(2026, 0, 31, 23, 59, 59))).toBe(1_000)
  expect(untilMidnight(new Date(2026, 0, 31))).toBe(24 * HOUR_MS)
})
