import { expect, it } from 'vitest'
import { lastUsedLabel } from './last-used.ts'

const NOW = new Date(2026, 10, 12, 9, 30)
const daysBefore = (days: number, hour = 12): string => new Date(2026, 10, 12 - days, hour).toISOString()

it('says when a template was never used', () => {
  expect(lastUsedLabel(null, NOW)).toBe('Never used')
})

it.each([
  [0, 'Today'],
  [1, 'Yesterday'],
  [2, '2 days ago'],
  [6, '6 days ago'],
  [7, '1 weeks ago'],
  [13, '1 weeks ago'],
  [14, '2 weeks ago'],
  [28, '4 weeks ago'],
  [29, '4 weeks ago'],
  [30, '1 months ago'],
  [59, '1 months ago'],
  [60, '2 months ago'],
  [400, '13 months ago'],
])('%i days before is %j', (days, label) => {
  expect(lastUsedLabel(daysBefore(days), NOW)).toBe(label)
})

it('follows the calendar, not the hours', () => {
  const earlyMorning = new Date(2026, 10, 12, 0, 30)
  expect(lastUsedLabel(new Date(2026, 10, 12, 0, 1).toISOString(), earlyMorning)).toBe('Today')
  expect(lastUsedLabel(new Date(2026, 10, 11, 23, 59).toISOString(), earlyMorning)).toBe('Yesterday')
  expect(lastUsedLabel(new Date(2026, 10, 11, 0, 1).toISOString(), new Date(2026, 10, 12, 23, 59))).toBe(
    'Yesterday',
  )
})

it('takes a clock that runs ahead for today', () => {
  expect(lastUsedLabel(new Date(2026, 10, 13, 8).toISOString(), NOW)).toBe('Today')
})

it('counts whole days over the change to winter time', () => {
  // Every zone that changes does so between these; seven calendar days are seven, whatever their hours.
  expect(lastUsedLabel(new Date(2026, 9, 20).toISOString(), new Date(2026, 9, 27))).toBe('1 weeks ago')
  expect(lastUsedLabel(new Date(2026, 2, 26).toISOString(), new Date(2026, 3, 1))).toBe('6 days ago')
})
