import { expect, it } from 'vitest'
import type { DeliveryCounts } from '../../contract/campaigns.ts'
import { primaryOf } from './primary-action.ts'

const NONE = { queued: 0, inFlight: 0, accepted: 0, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 }
const counts = (some: Partial<DeliveryCounts>): DeliveryCounts => ({ ...NONE, ...some })

it.each([
  ['sending', { queued: 1, failed: 1 }, false, null],
  ['paused', { queued: 1, failed: 1 }, false, 'resume'],
  ['paused', { queued: 1 }, true, null],
  ['cancelled', { inFlight: 1 }, false, null],
  ['cancelled', { cancelled: 1 }, false, 'resend'],
  ['done', { accepted: 1, failed: 1 }, false, 'retry-failed'],
  ['done', { accepted: 1, unknown: 1 }, false, null],
  ['done', { accepted: 1, suppressed: 1 }, false, 'resend'],
] as const)('%s, %j, resuming itself: %s', (state, some, resumesItself, action) => {
  expect(primaryOf({ state, counts: counts(some), resumesItself, isRestored: false })).toBe(action)
})

it.each([
  ['paused', { queued: 1 }],
  ['done', { accepted: 1, failed: 1 }],
] as const)('%s, %j, in a restored copy, is looked at before it is sent again', (state, some) => {
  expect(primaryOf({ state, counts: counts(some), resumesItself: false, isRestored: true })).toBe(null)
})
