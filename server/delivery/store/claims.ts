import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import { lease, settleLeftBehind } from './leases.ts'
import type { WindowKey } from './steps.ts'
import { leaveOutAtClaim } from './suppressed.ts'

/**
 * Deliveries in a window. A small one is sent soon, and leaves little behind when its worker dies; in a large one the
 * few milliseconds of claiming it do not matter.
 */
export const WINDOW_MIN = 125
export const WINDOW_MAX = 1_000

export type ClaimedDelivery = {
  seq: number
  address: string
  name: string
  attempts: number
  /** Not null for a doubtful call that is to be repeated as it was. */
  callSeq: number | null
  callSize: number | null
  /** How long ago its first, doubtful try was. */
  inFlightMs: number
  /** Its last call came to nothing, whoever was to blame. */
  wasTurnedBack: boolean
}
export type ClaimedWindow = { key: WindowKey; deliveries: ClaimedDelivery[] }

type ClaimOptions = {
  mayTakeOver: boolean
  /** Windows that this worker holds, and has not left behind. */
  inHand?: readonly string[]
  account: string
  canRepeat: boolean
  size: number
  /** Whoever was turned back by the provider comes after all others. */
  isUnharmedFirst?: boolean
}

/**
 * Takes the next window of a campaign: first one that was left behind, then deliveries whose time has come, then fresh ones
 * in order; where the unharmed go first, a window that holds one of them or fresh ones before all these. Null when there is
 * nothing to take; `passed` when nobody of those who came next is to be sent anything, as if they are all left out: behind
 * them somebody may wait.
 */
export async function claimWindow(
  db: Database,
  campaignId: string,
  { isUnharmedFirst = false, ...options }: ClaimOptions,
): Promise<ClaimedWindow | 'passed' | null> {
  const unharmed = isUnharmedFirst ? await claimOf(db, campaignId, { ...options, isUnharmed: true }) : null
  return unharmed ?? claimOf(db, campaignId, { ...options, isUnharmed: false })
}

/** `isUnharmed`: only where there is somebody who was not turned back. */
type Whom = { isUnharmed: boolean }

async function claimOf(
  db: Database,
  campaignId: string,
  { mayTakeOver, inHand = [], size, isUnharmed, ...way }: Omit<ClaimOptions, 'isUnharmedFirst'> & Whom,
): Promise<ClaimedWindow | 'passed' | null> {
  return db.transaction().execute(async (tx) => {
    const token = randomUUID()
    const used =
      (await takeAbandoned(tx, campaignId, token, { mayTakeOver, inHand, isUnharmed })) ??
      (await takeSeqs(tx, campaignId, token, isUnharmed ? [] : await dueSeqs(tx, campaignId)))
    if (used !== null) await settleLeftBehind(tx, campaignId, used, way)
    const fresh = used === null ? await freshSeqs(tx, campaignId, size) : []
    if (fresh === null) return null
    const id = used ?? (await takeSeqs(tx, campaignId, token, fresh))
    if (id === null) return 'passed'
    await leaveOutAtClaim(tx, campaignId, id)
    const deliveries = await load(tx, campaignId, id)
    if (deliveries.length > 0) return { key: { id, campaignId, token }, deliveries }
    await tx.deleteFrom('delivery_windows').where('id', '=', id).execute()
    return 'passed'
  })
}

/** Any of them: were it always the same, one that a provider cannot take would keep the others waiting. */
async function takeAbandoned(
  tx: Transaction,
  campaignId: string,
  token: string,
  { mayTakeOver, inHand, isUnharmed }: Required<Pick<ClaimOptions, 'mayTakeOver' | 'inHand'>> & Whom,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select w.id from delivery_windows w
    where w.campaign_id = ${campaignId}
      and (w.token is null
        or ${mayTakeOver} and w.lease_until < clock_timestamp() and w.id <> all(${inHand}::bigint[]))
      and (not ${isUnharmed} or exists (
        select from deliveries d where d.campaign_id = ${campaignId} and d.seq = any(w.seqs)
          and d.state = 'q' and d.reason is null
      ))
    order by random() limit 1 for update of w skip locked`.execute(tx)
  const [found] = rows
  if (!found) return null
  await tx
    .updateTable('delivery_windows')
    .set({ token, lease_until: lease })
    .where('id', '=', found.id)
    .execute()
  return found.id
}

/**
 * Calls of which some deliveries were claimed and some not could not be repeated as they were: whole ones only. For the
 * same reason whoever claims at the same moment waits, instead of taking what is not locked yet.
 */
async function dueSeqs(tx: Transaction, campaignId: string): Promise<number[]> {
  const { rows } = await sql<{ seq: number; callSeq: number | null }>`
    select seq, call_seq as "callSeq" from deliveries
    where campaign_id = ${campaignId} and next_try_at <= now()
    order by next_try_at, call_seq, seq limit ${WINDOW_MAX} for update`.execute(tx)
  const last = rows.at(-1)?.callSeq ?? null
  const whole =
    rows.length < WINDOW_MAX || last === null ? rows : rows.filter(({ callSeq }) => callSeq !== last)
  const seqs = (whole.length > 0 ? whole : rows).map(({ seq }) => seq)
  if (seqs.length > 0)
    await tx
      .updateTable('deliveries')
      .set({ next_try_at: null })
      .where('campaign_id', '=', campaignId)
      .where(sql<boolean>`seq = any(${seqs}::integer[])`)
      .execute()
  return seqs
}

/**
 * Up to `size` of those next in order; null where there is none any more. Who was queued again before their turn came, as
 * after a cancel in a restored copy, is found by their time, and from then on by their window: the one is taken away in
 * the transaction that makes the other.
 */
async function freshSeqs(tx: Transaction, campaignId: string, size: number): Promise<number[] | null> {
  const run = await tx
    .selectFrom('runs')
    .select('cursor')
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'sending')
    .whereRef('cursor', '<', 'last_seq')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!run) return null
  const stretch = Math.max(size, WINDOW_MAX)
  // Whoever asked for the queued ones alone would leave it to the planner how to find them: where it takes them for few,
  // it reads the whole campaign for each window.
  const { rows } = await sql<{ seqs: number[]; passed: number; last: number }>`
    with next as materialized (
      select seq, state, next_try_at from deliveries where campaign_id = ${campaignId} and seq > ${run.cursor}
      order by seq limit ${stretch}
    )
    select array(
        select seq from next
        where state = 'q' and next_try_at is null and seq not in (
          select unnest(w.seqs) from delivery_windows w where w.campaign_id = ${campaignId})
        order by seq limit ${size}) as seqs,
      count(*)::integer as passed, max(seq) as last
    from next`.execute(tx)
  const { seqs = [], passed = 0, last = run.cursor } = rows[0] ?? {}
  const end = passed < stretch ? sql<number>`last_seq` : last
  const cursor = seqs.length === size ? seqs.at(-1) : end
  await tx.updateTable('runs').set({ cursor }).where('campaign_id', '=', campaignId).execute()
  return seqs
}

async function takeSeqs(
  tx: Transaction,
  campaignId: string,
  token: string,
  seqs: readonly number[],
): Promise<string | null> {
  if (seqs.length === 0) return null
  const { id } = await tx
    .insertInto('delivery_windows')
    .values({ campaign_id: campaignId, seqs: [...seqs], token, lease_until: lease })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function load(tx: Transaction, campaignId: string, windowId: string): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    select d.seq, d.address, d.name, d.attempts,
      case when d.state = 'i' then d.call_seq end as "callSeq",
      case when d.state = 'i' then d.call_size end as "callSize",
      case when d.state = 'i' then extract(epoch from now() - d.in_flight_at) * 1000 else 0 end::float8 as "inFlightMs",
      d.reason is not null as "wasTurnedBack"
    from deliveries d
    where d.campaign_id = ${campaignId} and d.state in ('q', 'i')
      and d.seq = any((select w.seqs from delivery_windows w where w.id = ${windowId})::integer[])
    order by d.seq`.execute(tx)
  return rows
}
