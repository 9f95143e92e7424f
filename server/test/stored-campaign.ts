import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Call, fenceOf, makeCalls } from '../delivery/calls.ts'
import { settleCall } from '../delivery/settlement.ts'
import { type ClaimedWindow, claimWindow, WINDOW_MAX } from '../delivery/store/claims.ts'
import { storeDeliveries } from '../delivery/store/intake.ts'
import { recount } from '../delivery/store/recount.ts'
import {
  type Settlement,
  type StepOptions,
  type StepResult,
  step,
  type WindowKey,
} from '../delivery/store/steps.ts'
import { copyingTransaction } from '../platform/copying.ts'
import type { Database } from '../platform/database.ts'
import type { Outcome } from '../providers/provider.ts'
import { freshDatabase, type TestDatabase } from './database.ts'

export type StoredCampaign = { id: string; userId: string }

/** A campaign with `count` queued deliveries, stored as the product stores it, and nobody who sends it. */
export async function aStoredCampaign(
  db: Database,
  count: number,
  userId: string = randomUUID(),
): Promise<StoredCampaign> {
  const id = randomUUID()
  await db
    .insertInto('users')
    .values({ id: userId, email: `${userId}@x.test`, email_key: `${userId}@x.test`, password_hash: '' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const campaign = { subject: 's', body: 'b', sender_name: 'n', reply_to: 'r@x.test' }
  await db
    .insertInto('campaigns')
    .values({ id, user_id: userId, ...campaign, recipient_count: count })
    .execute()
  const recipients = Array.from({ length: count }, (_, index) => `r${index + 1}@x.test`)
  await copyingTransaction(db, userId, (tx, copyInto) =>
    storeDeliveries(
      tx,
      copyInto,
      { campaignId: id, userId, account: 'product' },
      (async function* () {
        yield recipients.map((address) => ({ name: '', address, key: address }))
      })(),
    ),
  )
  return { id, userId }
}

type ClaimOptions = { mayTakeOver?: boolean; canRepeat?: boolean; size?: number; isUnharmedFirst?: boolean }

export async function tryClaim(
  db: Database,
  { id }: StoredCampaign,
  { mayTakeOver = false, canRepeat = false, size = WINDOW_MAX, isUnharmedFirst = false }: ClaimOptions = {},
): Promise<ClaimedWindow | null> {
  const way = { mayTakeOver, account: 'product', canRepeat, size, isUnharmedFirst }
  for (;;) {
    const claimed = await claimWindow(db, id, way)
    if (claimed !== 'passed') return claimed
  }
}

export async function claim(
  db: Database,
  campaign: StoredCampaign,
  options: ClaimOptions = {},
): Promise<ClaimedWindow> {
  const claimed = await tryClaim(db, campaign, options)
  if (!claimed) throw new Error('there was nothing to claim')
  return claimed
}

/** Puts deliveries of a window in flight, as calls of `batchMax`. */
export const fence = (
  db: Database,
  { key, deliveries }: ClaimedWindow,
  batchMax = 1,
  settlements: readonly Settlement[] = [],
  options: StepOptions = {},
): Promise<StepResult> => {
  const { calls } = makeCalls(deliveries, { batchMax, repeatableMs: 60_000 })
  return step(db, key, settlements, calls.flatMap(fenceOf), options)
}

/** What an outcome makes of a window's deliveries, all of one call. */
export const settled = (
  { deliveries }: Pick<Call, 'deliveries'>,
  outcome: Outcome,
  canRepeat = false,
): Settlement[] =>
  settleCall(
    deliveries,
    deliveries.map(() => outcome),
    { retryMs: 3_600_000, canRepeat, random: () => 0.5 },
  )

export const ACCEPTED: Outcome = { kind: 'accepted', id: 'id' }
export const REFUSED: Outcome = { kind: 'rejected', reason: '550 spam' }
export const UNKNOWN: Outcome = { kind: 'unknown', reason: 'silence' }
export const LATER: Outcome = { kind: 'try-later', reason: 'busy', afterMs: null, about: 'mail' }

/** One letter for each delivery, in order: `qqia`. */
export async function states(db: Database, { id }: StoredCampaign): Promise<string> {
  const rows = await db
    .selectFrom('deliveries')
    .select('state')
    .where('campaign_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.map(({ state }) => state).join('')
}

export async function expireLease(db: Database, { id }: WindowKey): Promise<void> {
  const lease_until = sql<Date>`clock_timestamp() - interval '1 millisecond'`
  await db.updateTable('delivery_windows').set({ lease_until }).where('id', '=', id).execute()
}

/** As if the waits were over. */
export async function letTimePass(db: Database, { id }: StoredCampaign): Promise<void> {
  const next_try_at = sql<Date>`next_try_at - interval '1 day'`
  await db.updateTable('deliveries').set({ next_try_at }).where('campaign_id', '=', id).execute()
}

export async function expectCountsToAddUp(db: Database): Promise<void> {
  expect((await recount(db)).differences).toEqual([])
}

/** One for all tests of a file; after each of them the counts add up, which is the promise behind every other one. */
export function databaseOfFile(): { readonly db: Database } {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  afterEach(() => expectCountsToAddUp(database.db))
  return {
    get db() {
      return database.db
    },
  }
}
