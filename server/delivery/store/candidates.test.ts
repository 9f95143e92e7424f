import { expect, it } from 'vitest'
import { aStoredCampaign, claim, databaseOfFile, expireLease } from '../../test/stored-campaign.ts'
import { findCandidates } from './candidates.ts'
import { releaseWindow } from './leases.ts'

const database = databaseOfFile()

it('finds a campaign of which a window was left behind', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 1)
  const window = await claim(db, campaign)
  const isFound = async (mayTakeOver: boolean) =>
    (await findCandidates(db, { mayTakeOver, limit: 1_000, full: [], served: [] })).some(
      ({ campaignId }) => campaignId === campaign.id,
    )
  expect(await isFound(true)).toBe(false)
  await expireLease(db, window.key)
  expect(await isFound(false)).toBe(false)
  expect(await isFound(true)).toBe(true)
  await releaseWindow(db, window.key, false)
})

it('gives each user a campaign before anyone gets a second', async () => {
  const { db } = database
  await db
    .updateTable('runs')
    .set({ is_open: false })
    .where('queued', '=', 0)
    .where('in_flight', '=', 0)
    .execute()
  const [ann, bob] = [await aStoredCampaign(db, 1), await aStoredCampaign(db, 1)]
  const second = await aStoredCampaign(db, 1)
  await db.updateTable('runs').set({ user_id: ann.userId }).where('campaign_id', '=', second.id).execute()
  const ids = (await findCandidates(db, { mayTakeOver: false, limit: 1_000, full: [], served: [] })).map(
    ({ campaignId }) => campaignId,
  )
  const places = [ann, second].map(({ id }) => ids.indexOf(id))
  expect(Math.min(...places)).toBeLessThan(Math.max(...places))
  expect(ids.indexOf(bob.id)).toBeLessThan(Math.max(...places))
})
