import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Outcome } from '../providers/provider.ts'
import { aWorker } from '../test/a-worker.ts'
import { createGate } from '../test/gate.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  fence,
  letTimePass,
  type StoredCampaign,
  states,
  UNKNOWN,
} from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { STALE_MS } from './capacity.ts'
import { setRunState } from './store/changes.ts'

const database = databaseOfFile()

const isHeld = async ({ id }: StoredCampaign): Promise<boolean> => {
  const held = database.db.selectFrom('delivery_windows').select('id').where('campaign_id', '=', id)
  return (await held.where('token', 'is not', null).execute()).length > 0
}

async function expireLeases({ id }: StoredCampaign): Promise<void> {
  await database.db
    .updateTable('delivery_windows')
    .set({ lease_until: sql<Date>`clock_timestamp() - interval '1 hour'` })
    .where('campaign_id', '=', id)
    .execute()
}

// As after a suspend: the lease runs by the wall clock, and its renewal by one that stands still meanwhile.
for (const [to, tags] of [
  ['sending', []],
  ['paused', ['thorough']],
  ['cancelled', ['thorough']],
] as const)
  it(`who is alive does not take what is in their own hand for left behind, although its lease has run out (${to})`, {
    tags: [...tags],
  }, async () => {
    const { db } = database
    const gate = createGate()
    gate.shut()
    await using worker = aWorker(db, { concurrency: 1, answer: () => gate.pass().then(() => ACCEPTED) })
    const campaign = await aStoredCampaign(db, 1)
    await worker.wake()
    await until('it is called', () => worker.mailsOf(campaign).length === 1)
    await setRunState(db, campaign.userId, campaign.id, { from: ['sending'], to })
    await expireLeases(campaign)
    const abandoned = await aStoredCampaign(db, 1)
    const window = await claim(db, abandoned)
    await fence(db, window)
    await expireLease(db, window.key)
    await until('what a dead worker left behind is taken over', async () => {
      await worker.wake()
      return (await states(db, abandoned)) === 'u'
    })
    await worker.wake()
    gate.open()
    await until('it is settled', async () => (await states(db, campaign)) !== 'i')
    expect(await states(db, campaign)).toBe('a')
    expect(worker.mailsOf(campaign)).toHaveLength(1)
  })

it('a doubtful call that waits in hand until its provider has forgotten it is not made again: it would be a second mail', {
  tags: 'thorough',
}, async () => {
  const { db } = database
  const gate = createGate()
  let answer: Outcome = UNKNOWN
  await using worker = aWorker(db, {
    concurrency: 1,
    repeatableMs: 23 * 3_600_000,
    answer: () => gate.pass().then(() => answer),
  })
  const campaign = await aStoredCampaign(db, 1)
  await worker.wake()
  await until(
    'it is in doubt',
    async () => worker.mailsOf(campaign).length === 1 && !(await isHeld(campaign)),
  )
  answer = ACCEPTED
  gate.shut()
  const other = await aStoredCampaign(db, 1)
  await worker.wake()
  await until('the other is called', () => worker.mailsOf(other).length === 1)
  await letTimePass(db, campaign)
  await worker.wake()
  await until('it is in hand again', () => isHeld(campaign))
  await db
    .updateTable('deliveries')
    .set({ in_flight_at: sql<Date>`now() - interval '25 hours'` })
    .where('campaign_id', '=', campaign.id)
    .execute()
  const since = performance.now()
  await until('it is not about to be called either', () => performance.now() - since > STALE_MS)
  gate.open()
  await until('it is settled', async () => {
    await worker.wake()
    return (await states(db, campaign)) !== 'i'
  })
  expect(await states(db, campaign)).toBe('u')
  expect(worker.mailsOf(campaign)).toHaveLength(1)
})
