import { expect, it } from 'vitest'
import { columnWords, tickWords } from './activity-words.ts'

it('tells a day and its count', () => {
  expect(columnWords({ name: 'Mon', date: '2026-11-09', sent: 1204 })).toBe('Mon, Nov 9: 1,204 emails')
  expect(columnWords({ name: 'Sun', date: '2026-11-01', sent: 1 })).toBe('Sun, Nov 1: 1 email')
  expect(columnWords({ name: 'Sun', date: '2026-11-01', sent: 0 })).toBe('Sun, Nov 1: 0 emails')
})

it('keeps the axis narrow', () => {
  expect([0, 500, 1500, 20_000, 1_000_000].map(tickWords)).toEqual(['0', '500', '1.5K', '20K', '1M'])
})
