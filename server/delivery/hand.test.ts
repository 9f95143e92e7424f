import { expect, it } from 'vitest'
import { aProvider } from '../test/a-provider.ts'
import { aWorker } from '../test/a-worker.ts'
import { createGate } from '../test/gate.ts'
import { ACCEPTED, aStoredCampaign, databaseOfFile, states } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

const database = databaseOfFile()

const OWN_RELAY = 'a relay of their own'

/** So many campaigns to one person each, by a relay of the user's own. */
async function manyCampaigns(count: number): Promise<string> {
  const { userId } = await aStoredCampaign(database.db, 1)
  await Promise.all(Array.from({ length: count - 1 }, () => aStoredCampaign(database.db, 1, userId)))
  await database.db.updateTable('runs').set({ account: OWN_RELAY }).where('user_id', '=', userId).execute()
  return userId
}

const openRunsOf = (userId: string) =>
  database.db
    .selectFrom('runs')
    .select('campaign_id')
    .where('user_id', '=', userId)
    .where('is_open', '=', true)
    .execute()

const inHandOf = async (userId: string): Promise<number> => {
  const windows = database.db
    .selectFrom('delivery_windows as w')
    .innerJoin('runs as r', 'r.campaign_id', 'w.campaign_id')
    .select('w.id')
    .where('r.user_id', '=', userId)
  return (await windows.where('w.token', 'is not', null).execute()).length
}

/** A relay that has the mails and says nothing, until it is let. */
function aSilentRelay() {
  const gate = createGate()
  gate.shut()
  const relay = aProvider({
    send: async (_letter, copies) => {
      await gate.pass()
      return copies.map(() => ACCEPTED)
    },
  })
  return { others: { [OWN_RELAY]: relay }, speak: gate.open, [Symbol.dispose]: gate.open }
}

it.each([
  ['one user has', 1, 256],
  ['eight users have', 8, 32],
])(
  'what %s at a relay that says nothing keeps nobody else waiting',
  { tags: 'thorough' },
  async (_, users, mails) => {
    const silent = aSilentRelay()
    await using worker = aWorker(database.db, { others: silent.others })
    using _speaking = silent
    const slow: string[] = []
    for (let user = 0; user < users; user++) slow.push(await manyCampaigns(mails))
    await worker.wake()
    const campaign = await aStoredCampaign(database.db, 1_000)
    await worker.wake()
    await until('all others have their mail', async () => /^a+$/.test(await states(database.db, campaign)))
    for (const userId of slow) expect(await inHandOf(userId)).toBeLessThanOrEqual(32)
    await database.db.updateTable('runs').set({ state: 'paused' }).where('user_id', 'in', slow).execute()
  },
)

it('whoever sends more campaigns than one may have in hand at once waits for no further look between them', {
  tags: 'thorough',
}, async () => {
  const silent = aSilentRelay()
  await using worker = aWorker(database.db, { others: silent.others })
  using _speaking = silent
  const userId = await manyCampaigns(80)
  await worker.wake()
  expect(await inHandOf(userId)).toBe(32)
  silent.speak()
  await until('all are sent', async () => (await openRunsOf(userId)).length === 0)
})
