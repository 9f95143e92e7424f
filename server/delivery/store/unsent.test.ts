import { expect, it } from 'vitest'
import type { EventKind } from '../../providers/events.ts'
import { anEvent, aSentCampaign, HARD, recordAll, SOFT } from '../../test/campaign-events.ts'
import { databaseOfFile, type StoredCampaign } from '../../test/stored-campaign.ts'
import { dangerOf } from '../protection.ts'
import { recordOf } from './protection.ts'

const database = databaseOfFile()

const ACCOUNT = 'product'
const SIZE = 600
const FAILED: EventKind = { kind: 'failed' }

/** The same is told of each of the first so many; answers whether that is a reason to look at the user's record. */
async function tell(campaign: StoredCampaign, kind: EventKind, count = SIZE): Promise<boolean> {
  const events = Array.from({ length: count }, (_, index) => anEvent(campaign, index + 1, kind))
  const { moved } = await recordAll(database.db, ACCOUNT, events)
  return moved.some(({ isWorse }) => isWorse)
}
const counts = ({ id }: StoredCampaign) =>
  database.db
    .selectFrom('runs')
    .select(['bounced', 'unsent'])
    .where('campaign_id', '=', id)
    .executeTakeFirst()
const record = ({ userId }: StoredCampaign) => recordOf(database.db, userId, ACCOUNT)
const danger = async (campaign: StoredCampaign) =>
  dangerOf(await record(campaign), { complaints: 0.3, bounces: 10 })

it('600 mails that the provider took and did not send stop nobody; 600 that came back do', async () => {
  const unsent = await aSentCampaign(database.db, SIZE)
  expect(await tell(unsent, FAILED)).toBe(false)
  expect(await counts(unsent)).toEqual({ bounced: SIZE, unsent: SIZE })
  expect(await record(unsent)).toEqual({ arrived: 0, bounced: 0, complained: 0 })
  expect(await danger(unsent)).toBeNull()

  const returned = await aSentCampaign(database.db, SIZE)
  expect(await tell(returned, HARD)).toBe(true)
  expect(await counts(returned)).toEqual({ bounced: SIZE, unsent: 0 })
  expect(await danger(returned)).toContain('600 of your last 600 emails came back')
})

it('a mail that was said not to be sent and then came back counts as one that came back, in either order', async () => {
  const campaign = await aSentCampaign(database.db, 4)
  await tell(campaign, FAILED, 2)
  expect(await tell(campaign, HARD, 1)).toBe(true)
  expect(await counts(campaign)).toEqual({ bounced: 2, unsent: 1 })
  await tell(campaign, SOFT, 3)
  expect(await counts(campaign)).toEqual({ bounced: 3, unsent: 0 })
  expect(await tell(campaign, FAILED, 4)).toBe(false)
  await tell(campaign, FAILED, 4)
  expect(await counts(campaign)).toEqual({ bounced: 4, unsent: 1 })
  expect(await record(campaign)).toMatchObject({ arrived: 0, bounced: 3 })
})

it('a campaign from before it was counted stays uncounted, and is judged by all that is noted as bounced', async () => {
  const campaign = await aSentCampaign(database.db, SIZE)
  await database.db.updateTable('runs').set({ unsent: null }).where('campaign_id', '=', campaign.id).execute()
  await tell(campaign, FAILED)
  expect(await counts(campaign)).toEqual({ bounced: SIZE, unsent: null })
  expect(await danger(campaign)).not.toBeNull()
})
