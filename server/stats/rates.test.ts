import { expect, it } from 'vitest'
import { statsOf } from './rates.ts'
import type { Totals } from './store.ts'

const NOTHING: Totals = {
  ...{ queued: 0, inFlight: 0, accepted: 0, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 },
  ...{ delivered: 0, isPresumed: false, bounced: 0, complained: 0, opened: 0, arrived: 0 },
}

it('counts nobody as sent who was left out or cancelled', () => {
  const totals = {
    queued: 1,
    inFlight: 2,
    accepted: 4,
    failed: 8,
    unknown: 16,
    suppressed: 32,
    cancelled: 64,
  }
  expect(statsOf({ ...NOTHING, ...totals })).toMatchObject({
    total: 31,
    totalSuppressed: 32,
    totalCancelled: 64,
  })
})

it.each([
  [0, 1_000, '0.0'],
  [4, 10_000, '0.04'],
  [1, 1_000_000, '0.0001'],
  [1, 1_000, '0.1'],
  [14, 10_000, '0.14'],
  [25, 1_000, '2.5'],
  [1, 3, '33.3'],
])('%i complaints of %i are %s percent', (complained, accepted, spamRate) => {
  expect(statsOf({ ...NOTHING, accepted, complained }).spamRate).toBe(spamRate)
})

it('does not call nearly all of them all', () => {
  expect(statsOf({ ...NOTHING, accepted: 99_997, failed: 3 }).successRate).toBe('99.997')
  expect(statsOf({ ...NOTHING, accepted: 3 }).successRate).toBe('100.0')
})
