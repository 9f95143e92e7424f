import { expect, it } from 'vitest'
import { othersWords, progressWords } from './progress-words.ts'

const COUNTS = {
  queued: 3000,
  inFlight: 781,
  accepted: 1204,
  failed: 3,
  unknown: 12,
  suppressed: 0,
  cancelled: 0,
}

it('tells how far a campaign is, and what went wrong or is in doubt', () => {
  expect(progressWords(COUNTS)).toBe('1,204 of 5,000 accepted · 3 failed · 12 unconfirmed')
  expect(progressWords({ ...COUNTS, failed: 0, unknown: 0 })).toBe('1,204 of 4,985 accepted')
})

it('claims no number of campaigns that nobody has counted', () => {
  expect(othersWords(3, false)).toBe('3 more in History')
  expect(othersWords(46, true)).toBe('46+ more in History')
  expect(othersWords(-1, true)).toBe('More in History')
})
