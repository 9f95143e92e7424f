import { describe, expect, it } from 'vitest'
import type { DeliveryCounts } from '../../contract/campaigns.ts'
import { progressWords, type Standing } from './progress.ts'
import { stateWords } from './state-words.ts'

const counts = (some: Partial<DeliveryCounts>): DeliveryCounts => ({
  ...{ queued: 0, inFlight: 0, accepted: 0, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 },
  ...some,
})
const standing = (some: Partial<DeliveryCounts>, rest: Partial<Standing> = {}): Standing => {
  const all = counts(some)
  const recipientCount = Object.values(all).reduce((sum, count) => sum + count, 0)
  return { counts: all, state: 'sending', pausedReason: null, recipientCount, ...rest }
}

describe('the words beside the bar', () => {
  it('say how far, what went wrong and how long it will take', () => {
    const campaign = standing({ accepted: 1204, failed: 3, queued: 3793 })
    expect(progressWords(campaign, 'about 2 min left')).toBe(
      '1,204 of 5,000 accepted · 3 failed · about 2 min left',
    )
    expect(progressWords(campaign, null)).toBe('1,204 of 5,000 accepted · 3 failed')
  })

  it('count the unconfirmed on their own', () => {
    expect(progressWords(standing({ accepted: 1, unknown: 2, queued: 1 }), null)).toBe(
      '1 of 4 accepted · 2 unconfirmed',
    )
  })

  it('promise no end while it is paused or being cancelled', () => {
    const some = { accepted: 2, queued: 3 }
    expect(progressWords(standing(some, { state: 'paused' }), 'about 2 min left')).toBe(
      '2 of 5 accepted · 3 waiting',
    )
    expect(progressWords(standing(some, { state: 'cancelled' }), 'about 2 min left')).toBe(
      '2 of 5 accepted · 3 being cancelled',
    )
  })
})

it('tells a screen reader the turns of events', () => {
  const some = { accepted: 1204, failed: 3, unknown: 1 }
  expect(stateWords(standing({ queued: 1 }))).toBe('Sending')
  expect(stateWords(standing({ queued: 1 }, { state: 'paused' }))).toBe('Sending is paused')
  expect(stateWords(standing({ queued: 1 }, { state: 'cancelled' }))).toBe('Being cancelled')
  expect(stateWords(standing({ cancelled: 1 }, { state: 'cancelled' }))).toBe('Cancelled')
  expect(stateWords(standing(some, { state: 'done' }))).toBe(
    'Finished: 1,204 accepted, 3 failed, 1 unconfirmed',
  )
})
