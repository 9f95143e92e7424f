import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Database, Transaction } from '../../platform/database.ts'
import { freshDatabase } from '../../test/database.ts'
import {
  aStoredCampaign,
  claim,
  expectCountsToAddUp,
  fence,
  type StoredCampaign,
  settled,
  states,
  UNKNOWN,
} from '../../test/stored-campaign.ts'
import { until } from '../../test/until.ts'
import { queueAgain, setRunState, sweepCancelled } from './changes.ts'
import { step } from './steps.ts'

it('a long list is cancelled, and what failed of it queued again, although nearly all others are short', {
  tags: 'thorough',
}, async () => {
  await using database = await freshDatabase()
  const { db } = database
  // As the planner finds it in the moments before it has looked at the new rows.
  await sql`alter table deliveries set (autovacuum_enabled = false)`.execute(db)
  for (let short = 0; short < 300; short++) await aStoredCampaign(db, 2)
  await sql`analyze deliveries`.execute(db)
  const { id, userId } = await aStoredCampaign(db, 12_000)
  await claim(db, { id, userId })

  // A bad plan does not end before the query is given up.
  await setRunState(db, userId, id, { from: ['sending'], to: 'cancelled' })
  while (await sweepCancelled(db, id, { mayTakeOver: false }));
  await expectCountsToAddUp(db)

  await sql`update deliveries set state = 'f' where campaign_id = ${id}`.execute(db)
  await sql`update runs set cancelled = 0, failed = 12000 where campaign_id = ${id}`.execute(db)
  expect(await queueAgain(db, userId, id, 'f')).toBe(12_000)
  await expectCountsToAddUp(db)
})

it.each([
  ['ended', 0, { state: 'sending', paused_reason: null, queued: 2, is_open: true }],
  ['has more to send', 1, { state: 'paused', paused_reason: 'as asked', queued: 3, is_open: true }],
])(
  'a campaign that was paused and %s is sent again by a retry only if nobody can resume it',
  async (_, left, run) => {
    await using database = await freshDatabase()
    const { db } = database
    const { id, userId } = await aStoredCampaign(db, 2 + left)
    const window = await claim(db, { id, userId })
    const underWay = { ...window, deliveries: window.deliveries.slice(0, 2) }
    await fence(db, underWay)
    await db.updateTable('runs').set({ state: 'paused', paused_reason: 'as asked' }).execute()
    await step(db, window.key, settled(underWay, { kind: 'rejected', reason: 'no' }), [])
    expect(await queueAgain(db, userId, id, 'f')).toBe(2)
    expect(
      await db
        .selectFrom('runs')
        .select(['state', 'paused_reason', 'queued', 'is_open'])
        .where('campaign_id', '=', id)
        .executeTakeFirst(),
    ).toEqual(run)
    await expectCountsToAddUp(db)
  },
)

it('who is claimed and fails in the middle of a retry is in one window only, and the next retry takes them', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const campaign = await aStoredCampaign(db, 3)
  const { id, userId } = campaign
  const fail = async (window: Awaited<ReturnType<typeof claim>>) => {
    await fence(db, window)
    await step(db, window.key, settled(window, { kind: 'rejected', reason: 'no' }), [])
  }
  const first = await claim(db, campaign, { size: 1 })
  await fail(first)
  const whileFirstIsLocked = await locking(db, first.key.id)
  const retry = queueAgain(db, userId, id, 'f')
  await until('the retry waits for the first window', () => isWaiting(db, 'select from delivery_windows'))
  const second = await claim(db, campaign, { size: 1 })
  const whileSecondIsLocked = await locking(db, second.key.id)
  await whileFirstIsLocked.end()
  await until('it is about to leave the windows', () => isWaiting(db, 'update delivery_windows'))
  const third = await claim(db, campaign, { size: 1 })
  await fail(third)
  await whileSecondIsLocked.end()

  expect(await retry).toBe(1)
  expect(await states(db, campaign)).toBe('qqf')
  expect(await queueAgain(db, userId, id, 'f')).toBe(1)
  expect(await states(db, campaign)).toBe('qqq')
  await expectCountsToAddUp(db)
})

/** More than are queued again in one go. */
const UNCONFIRMED = 10_001

it('of a list of any length only those are sent again who were unconfirmed when it was asked for', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const campaign = await aLongDoubt(db)
  const { id, userId } = campaign
  const whileOneIsLocked = await holding(
    db,
    sql`select from deliveries where campaign_id = ${id} and seq = 1 for no key update`,
  )
  const retry = queueAgain(db, userId, id, 'u')
  await until('it is about to queue the first', () => isWaiting(db, 'for update of d'))
  const another = await claim(db, campaign)
  await fence(db, another)
  await step(db, another.key, settled(another, UNKNOWN), [])
  await whileOneIsLocked.end()

  expect(await retry).toBe(UNCONFIRMED)
  expect(await states(db, campaign)).toBe(`${'q'.repeat(UNCONFIRMED)}u`)
  await expectCountsToAddUp(db)
})

it.each([
  [
    'goes on though others are sent again meanwhile',
    (db: Database, { id, userId }: StoredCampaign) => queueAgain(db, userId, id, 'f'),
    `${'q'.repeat(UNCONFIRMED)}q`,
  ],
  [
    'sends to nobody again whom another press has sent to meanwhile',
    async (db: Database, { id, userId }: StoredCampaign) => {
      await queueAgain(db, userId, id, 'u')
      await sql`update deliveries set state = 'u', next_try_at = null, in_flight_at = now()
        where seq = ${UNCONFIRMED}`.execute(db)
      await sql`update runs set queued = queued - 1, unknown = unknown + 1`.execute(db)
    },
    `${'q'.repeat(UNCONFIRMED - 1)}uf`,
  ],
  [
    'ends where the campaign is cancelled meanwhile',
    (db: Database, { id, userId }: StoredCampaign) =>
      setRunState(db, userId, id, { from: ['sending'], to: 'cancelled' }),
    `${'q'.repeat(UNCONFIRMED - 1)}uf`,
  ],
] as const)('a long list that is sent again %s', async (_, meanwhile, letters) => {
  await using database = await freshDatabase()
  const { db } = database
  const campaign = await aLongDoubt(db)
  const { id, userId } = campaign
  await sql`update deliveries set state = 'f' where seq > ${UNCONFIRMED}`.execute(db)
  await sql`update runs set queued = 0, failed = 1, is_open = false`.execute(db)
  await queueAgain(
    beforeItsSecondTransaction(db, () => meanwhile(db, campaign)),
    userId,
    id,
    'u',
  )
  expect(await states(db, campaign)).toBe(letters)
  await expectCountsToAddUp(db)
})

/** Of all but the last nobody can say whether they have got it; the last still waits. */
async function aLongDoubt(db: Database): Promise<StoredCampaign> {
  const campaign = await aStoredCampaign(db, UNCONFIRMED + 1)
  await sql`update deliveries set state = 'u' where seq <= ${UNCONFIRMED}`.execute(db)
  await sql`update runs set queued = 1, unknown = ${UNCONFIRMED}, cursor = ${UNCONFIRMED}`.execute(db)
  return campaign
}

function beforeItsSecondTransaction(db: Database, meanwhile: () => Promise<unknown>): Database {
  let begun = 0
  const transaction = () => ({
    execute: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      begun += 1
      if (begun === 2) await meanwhile()
      return db.transaction().execute(work)
    },
  })
  return new Proxy(db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
}

/** Holds a window as a step does, until the end. */
const locking = (db: Database, windowId: string) =>
  holding(db, sql`select from delivery_windows where id = ${windowId} for no key update`)

async function holding(db: Database, lock: RawBuilder<unknown>): Promise<{ end(): Promise<void> }> {
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await lock.execute(tx)
    locked.resolve()
    await over.promise
  })
  await Promise.race([locked.promise, transaction])
  return {
    async end() {
      over.resolve()
      await transaction
    },
  }
}

async function isWaiting(db: Database, statement: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${statement}%`}`.execute(
    db,
  )
  return rows.length > 0
}
