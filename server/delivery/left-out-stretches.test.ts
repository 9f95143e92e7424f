import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aWorker } from '../test/a-worker.ts'
import { aStoredCampaign, databaseOfFile, type StoredCampaign, states } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { claimWindow, WINDOW_MIN } from './store/claims.ts'

const database = databaseOfFile()

const way = { mayTakeOver: false, account: 'product', canRepeat: false, size: WINDOW_MIN }
const QUEUED = 100

/** All but the last hundred come onto the list, and whoever was to leave them out of what is queued dies before it. */
async function aCampaignToBeLeft(count: number): Promise<StoredCampaign> {
  const campaign = await aStoredCampaign(database.db, count)
  await sql`insert into suppressions (user_id, address_key, address, reason)
    select ${campaign.userId}::uuid, address_key, address, 'u' from deliveries
    where campaign_id = ${campaign.id} and seq <= ${count - QUEUED}`.execute(database.db)
  return campaign
}

/** All but the last hundred were left out as it came in. */
async function aCampaignOfFew(count: number): Promise<StoredCampaign> {
  const { userId } = await aCampaignToBeLeft(count)
  return aStoredCampaign(database.db, count, userId)
}

it('a claim goes past those who are left out, to the next who wait', async () => {
  const { id } = await aCampaignOfFew(1_000)
  expect(await claimWindow(database.db, id, way)).toMatchObject({ deliveries: { length: QUEUED } })
  expect(await claimWindow(database.db, id, way)).toBeNull()
})

it('a claim takes no more than it wants of those who wait, and the next one goes on behind them', async () => {
  const campaign = await aStoredCampaign(database.db, 300)
  const claimed: number[][] = []
  for (let time = 0; time < 3; time++) {
    const window = await claimWindow(database.db, campaign.id, way)
    if (window === null || window === 'passed') throw new Error('nothing was claimed')
    claimed.push(window.deliveries.map(({ seq }) => seq))
  }
  expect(claimed.map(({ length }) => length)).toEqual([125, 125, 50])
  expect(claimed.flat()).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  expect(await claimWindow(database.db, campaign.id, way)).toBeNull()
})

it.each([
  ['as it came in', aCampaignOfFew],
  ['only as they were claimed', aCampaignToBeLeft],
])('who comes after many who were left out %s waits for no further look', async (_, aCampaign) => {
  const campaign = await aCampaign(2_100)
  await using worker = aWorker(database.db)
  await worker.wake()
  await until('all are accounted for', async () => !/[qi]/.test(await states(database.db, campaign)))
  expect(await states(database.db, campaign)).toMatch(/^s{2000}a{100}$/)
  expect(worker.mailsOf(campaign)).toHaveLength(QUEUED)
})
