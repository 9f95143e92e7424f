import { describe, expect, it } from 'vitest'
import { rowsInSight } from './use-row-window.ts'

describe('the rows in sight', () => {
  it('are all of a short list', () => {
    expect(rowsInSight(5, 50, 200, 800)).toEqual({ start: 0, end: 5, before: 0, after: 0 })
  })

  it('are few of a long one, and the rest is room', () => {
    const { start, end, before, after } = rowsInSight(100_000, 50, -2_000_000, 800)
    expect(end - start).toBeLessThan(60)
    expect(start).toBeLessThan(40_000)
    expect(end).toBeGreaterThan(40_016)
    expect(before + (end - start) * 50 + after).toBe(100_000 * 50)
  })

  it('are one when the list is far below or above, for it tells how high they are', () => {
    for (const top of [90_000, -9_000_000]) {
      const { start, end, before, after } = rowsInSight(1_000, 50, top, 800)
      expect(end - start).toBe(1)
      expect(before + after).toBe(999 * 50)
    }
  })

  it('are none of none', () => {
    expect(rowsInSight(0, 50, 100, 800)).toEqual({ start: 0, end: 0, before: 0, after: 0 })
  })
})
