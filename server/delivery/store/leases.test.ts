import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  fence,
  letTimePass,
  settled,
  states,
  tryClaim,
  UNKNOWN,
} from '../../test/stored-campaign.ts'
import { until } from '../../test/until.ts'
import { findCandidates } from './candidates.ts'
import { queueAgain, setRunState, sweepCancelled } from './changes.ts'
import { noteWay, openAbandoned, releaseWindow } from './leases.ts'
import { step } from './steps.ts'

const database = databaseOfFile()

const FAILED = { kind: 'rejected', reason: 'no' } as const

it('repeats no call that another provider was asked: the one that stands there now would send a second mail', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  await noteWay(db, 'product', 'the relay')
  const window = await claim(db, campaign)
  await fence(db, window)
  await expireLease(db, window.key)
  await noteWay(db, 'product', 'Resend')
  expect(await tryClaim(db, campaign, { mayTakeOver: true, canRepeat: true })).toBeNull()
  expect(await states(db, campaign)).toBe('uu')
})

it('repeats a call when the same provider stands there after a restart, and gives it up when it does not', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  await noteWay(db, 'product', 'Resend, first account')
  const window = await claim(db, campaign)
  await fence(db, window, 2)
  await step(db, window.key, settled(window, UNKNOWN, true), [])
  await letTimePass(db, campaign)
  await noteWay(db, 'product', 'Resend, first account')
  const again = await claim(db, campaign, { canRepeat: true })
  expect(again.deliveries.map(({ callSeq }) => callSeq)).toEqual([1, 1])
  await releaseWindow(db, again.key, false)
  await noteWay(db, 'product', 'Resend, second account')
  await tryClaim(db, campaign, { canRepeat: true })
  expect(await states(db, campaign)).toBe('uu')
})

it('repeats no call that was put in flight for the provider before while another one was being noted', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 1)
  await noteWay(db, 'product', 'the one before')
  const window = await claim(db, campaign)
  let noting = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select from account_ways where account = 'product' for update`.execute(tx)
    noting = noteWay(db, 'product', 'the one after')
    await until('the note waits', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
      return rows.length > 0
    })
    const { maySend } = await fence(db, window, 1, [], { identity: 'the one before' })
    expect(maySend).toBe(true)
  })
  await noting
  await expireLease(db, window.key)
  expect(await tryClaim(db, campaign, { mayTakeOver: true, canRepeat: true })).toBeNull()
  expect(await states(db, campaign)).toBe('u')
})

it('keeps a window whose rows are not all accounted for, whoever believes that it is empty', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 1)
  const window = await claim(db, campaign)
  // As if a statement had been committed after its answer was given up on.
  await fence(db, window)
  await releaseWindow(db, window.key, true)
  expect(await tryClaim(db, campaign)).toBeNull()
  expect(await states(db, campaign)).toBe('u')
})

it('accounts for a paused campaign whose worker died, and sends nothing of it', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  const window = await claim(db, campaign)
  await step(db, window.key, [], [{ seq: 1, callSeq: 1, callSize: 1, isRepeat: false }])
  await setRunState(db, campaign.userId, campaign.id, { from: ['sending'], to: 'paused' })
  await expireLease(db, window.key)
  await openAbandoned(db, campaign.id, { account: 'product', canRepeat: false })
  expect(await states(db, campaign)).toBe('uq')
})

it('queues again what fails while the retry waits for the step that fails it, in one window only', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 3)
  const window = await claim(db, campaign)
  await fence(db, window)
  const [first, second] = settled(window, FAILED)
  if (!first || !second) throw new Error('there are three')
  await step(db, window.key, [first], [])
  let retry = Promise.resolve(0)
  await db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select from delivery_windows where id = ${window.key.id} for no key update`.execute(tx)
    retry = queueAgain(db, campaign.userId, campaign.id, 'f')
    await until('the retry waits for the window', async () => {
      const { rows } =
        await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
          db,
        )
      return rows.length > 0
    })
    await sql`update deliveries set state = 'f' where campaign_id = ${campaign.id} and seq = 2`.execute(tx)
    await sql`update runs set in_flight = in_flight - 1, failed = failed + 1
      where campaign_id = ${campaign.id}`.execute(tx)
  })
  expect(await retry).toBe(2)
  const again = await claim(db, campaign)
  await fence(db, again)
  await expireLease(db, window.key)
  await tryClaim(db, campaign, { mayTakeOver: true })
  await step(db, again.key, settled(again, ACCEPTED), [])
  expect(await states(db, campaign)).toBe('aau')
})

it('a sweep that comes late forgets nobody of a campaign that is being sent again', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 3)
  const { key } = await claim(db, campaign)
  await releaseWindow(db, key, false)
  expect(await sweepCancelled(db, campaign.id, { mayTakeOver: true })).toBe(false)
  expect((await claim(db, campaign)).deliveries).toHaveLength(3)
})

it('leaves a campaign cancelled that is cancelled while a long retry is under way', {
  tags: 'thorough',
}, async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 12_000)
  await sql`update deliveries set state = 'f' where campaign_id = ${campaign.id}`.execute(db)
  await sql`update runs set queued = 0, failed = 12000, is_open = false, cursor = last_seq, state = 'cancelled'
    where campaign_id = ${campaign.id}`.execute(db)
  const retry = queueAgain(db, campaign.userId, campaign.id, 'f')
  await until('the first part is queued, and cancelled', () =>
    setRunState(db, campaign.userId, campaign.id, { from: ['sending'], to: 'cancelled' }),
  )
  await retry
  while (await sweepCancelled(db, campaign.id, { mayTakeOver: false }));
  const run = await db
    .selectFrom('runs')
    .select(['state', 'queued'])
    .where('campaign_id', '=', campaign.id)
    .executeTakeFirstOrThrow()
  expect(run).toEqual({ state: 'cancelled', queued: 0 })
})

it('sweeps what is cancelled, however much of it is in hand', async () => {
  const { db } = database
  const { id, userId } = await aStoredCampaign(db, 1)
  await setRunState(db, userId, id, { from: ['sending'], to: 'cancelled' })
  const found = await findCandidates(db, { mayTakeOver: false, limit: 1_000, full: [id], served: [] })
  expect(found).toContainEqual(expect.objectContaining({ campaignId: id, todo: 'tidy', isCancelled: true }))
})

it('finds work for those who have nothing in hand before more for those who have', async () => {
  const { db } = database
  const [busy, newcomer, full] = [
    await aStoredCampaign(db, 1),
    await aStoredCampaign(db, 1),
    await aStoredCampaign(db, 1),
  ]
  const found = await findCandidates(db, {
    mayTakeOver: false,
    limit: 1_000,
    full: [full.id],
    served: [busy.userId],
  })
  const ids = found.map(({ campaignId }) => campaignId)
  expect(ids).not.toContain(full.id)
  expect(ids.indexOf(newcomer.id)).toBeLessThan(ids.indexOf(busy.id))
})
