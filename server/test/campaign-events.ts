import { deliveryTag } from '../delivery/identity.ts'
import { type Recorded, recordEvents } from '../delivery/store/events.ts'
import { step } from '../delivery/store/steps.ts'
import type { Database } from '../platform/database.ts'
import type { EventKind, ProviderEvent } from '../providers/events.ts'
import { ACCEPTED, aStoredCampaign, claim, fence, type StoredCampaign, settled } from './stored-campaign.ts'

/** A stored campaign whose provider has taken every copy. */
export async function aSentCampaign(db: Database, size: number, userId?: string): Promise<StoredCampaign> {
  const campaign = await aStoredCampaign(db, size, userId)
  const window = await claim(db, campaign)
  await fence(db, window)
  await step(db, window.key, settled(window, ACCEPTED), [])
  return campaign
}

let count = 0

/** An event about one delivery, each with an id of its own and a second later than the one before. */
export const anEvent = (
  { id }: StoredCampaign,
  seq: number,
  kind: EventKind,
  more: Partial<Pick<ProviderEvent, 'at' | 'words' | 'tag'>> = {},
): ProviderEvent => ({
  id: `event ${++count}`,
  tag: deliveryTag(id, seq),
  at: new Date(Date.UTC(2026, 0, 1) + count * 1000),
  words: null,
  ...kind,
  ...more,
})

export const HARD: EventKind = { kind: 'bounced', bounce: 'hard' }
export const SOFT: EventKind = { kind: 'bounced', bounce: 'soft' }

/** What all rounds of recording these events have brought. */
export async function recordAll(
  db: Database,
  account: string | null,
  events: readonly ProviderEvent[],
): Promise<Recorded> {
  const all: Recorded = { moved: [], suppressed: [] }
  for await (const { moved, suppressed } of recordEvents(db, account, events)) {
    all.moved.push(...moved)
    all.suppressed.push(...suppressed)
  }
  return all
}
