import { expect, it } from 'vitest'
import type { CampaignState, DeliveryCounts } from './campaigns.ts'
import { isMoving } from './under-way.ts'

const NOBODY: DeliveryCounts = {
  ...{ queued: 0, inFlight: 0, accepted: 0, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 },
}

it.each<[CampaignState, Partial<DeliveryCounts>, boolean]>([
  ['sending', { queued: 1 }, true],
  ['paused', { queued: 1 }, true],
  ['cancelled', { queued: 1 }, true],
  ['cancelled', { inFlight: 1 }, true],
  ['cancelled', { cancelled: 1 }, false],
  ['done', { accepted: 1 }, false],
])('a campaign that is %s with %j moves: %j', (state, counts, moves) => {
  expect(isMoving({ state, counts: { ...NOBODY, ...counts } })).toBe(moves)
})
