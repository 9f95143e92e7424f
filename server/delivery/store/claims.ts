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
}
export type ClaimedWindow = { key: WindowKey; deliveries: ClaimedDelivery[] }

/** A campaign for which there is something to do now. */
export type Candidate = {
  campaignId: string
  userId: string
  account: string
  /** `tidy`: nothing may be sent, but what a dead worker left behind, or a cancellation, has to be accounted for. */
  todo: 'send' | 'tidy'
  isCancelled: boolean
}

type Search = {
  mayTakeOver: boolean
  limit: number
  /** Campaigns of which this worker has enough in hand. */
  full: readonly string[]
  /** Users for whom it is already at work: they come after those for whom it is not. */
  served: readonly string[]
  /** Users for whom it has no room: nothing more of theirs is sent from here now. */
  sated?: readonly string[]
  /** Campaigns at whose mails a provider was found to be out of order, the latest last: they come after all others. */
  duringOutage?: readonly string[]
}

type ClaimOptions = { mayTakeOver: boolean; account: string; canRepeat: boolean; size: number }

/** Of a run `r` that may be sent: whether there is anything to be claimed. */
const hasDue = (mayTakeOver: boolean) => sql`(
  r.cursor < r.last_seq
  or exists (select from deliveries d where d.campaign_id = r.campaign_id and d.next_try_at <= now())
  or exists (
    select from delivery_windows w where w.campaign_id = r.campaign_id
      and (w.token is null or ${mayTakeOver} and w.lease_until < clock_timestamp())
  )
)`

/** Campaigns that a worker would send if there were one with time for them. */
export async function countDue(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from runs r
    where r.is_open and r.state = 'sending'
      and not exists (select from account_holds h where h.account = r.account and h.held_until > clock_timestamp())
      and ${hasDue(true)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Is anything to be sent by this account, now or as soon as it can be called again? */
export async function isAwaited(db: Database, account: string): Promise<boolean> {
  const run = db.selectFrom('runs').select('campaign_id').where('account', '=', account)
  const waiting = run.where('is_open', '=', true).where('state', '=', 'sending').limit(1)
  return (await waiting.executeTakeFirst()) !== undefined
}

/**
 * Campaigns with work that nobody holds. Each user's first comes before anyone's second: a person with fifty campaigns
 * does not keep out a person with one.
 */
export async function findCandidates(
  db: Database,
  { mayTakeOver, limit, full, served, sated = [], duringOutage = [] }: Search,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with open as (
      select r.campaign_id, r.user_id, r.account, r.state, r.created_at, h.account is not null as is_held
      from runs r left join account_holds h on h.account = r.account and h.held_until > clock_timestamp()
      where r.is_open and (
        -- What is still in somebody's hands will be settled by them.
        r.state = 'cancelled' and (r.queued > 0 or not exists (
          select from delivery_windows w where w.campaign_id = r.campaign_id and w.lease_until >= clock_timestamp()))
        -- What a dead worker had in flight does not wait for the end of a hold, which may be far or never come.
        or (r.state = 'paused' or r.state = 'sending' and h.account is not null) and ${mayTakeOver} and exists (
          select from delivery_windows w where w.campaign_id = r.campaign_id and w.lease_until < clock_timestamp())
        -- Nobody sends more than there is room for; what is not to be sent is accounted for all the same.
        or r.state = 'sending' and h.account is null and r.campaign_id <> all(${full}::uuid[])
          and r.user_id <> all(${sated}::uuid[]) and ${hasDue(mayTakeOver)}
      )
    )
    select campaign_id as "campaignId", user_id as "userId", account, state = 'cancelled' as "isCancelled",
      case when state = 'sending' and not is_held then 'send' else 'tidy' end as todo
    from open
    order by array_position(${duringOutage}::uuid[], campaign_id) nulls first,
      user_id = any(${served}::uuid[]), row_number() over (partition by user_id order by created_at desc),
      created_at
    limit ${limit}`.execute(db)
  return rows
}

/**
 * Takes the next window of a campaign: first one that was left behind, then deliveries whose time has come, then
 * fresh ones in order. Null when there is nothing to take; `passed` when nobody of those who came next is to be sent
 * anything, as if they are all left out: behind them somebody may wait.
 */
export async function claimWindow(
  db: Database,
  campaignId: string,
  { mayTakeOver, size, ...way }: ClaimOptions,
): Promise<ClaimedWindow | 'passed' | null> {
  return db.transaction().execute(async (tx) => {
    const token = randomUUID()
    const used =
      (await takeAbandoned(tx, campaignId, token, mayTakeOver)) ??
      (await takeSeqs(tx, campaignId, token, await dueSeqs(tx, campaignId)))
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
  mayTakeOver: boolean,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from delivery_windows
    where campaign_id = ${campaignId}
      and (token is null or ${mayTakeOver} and lease_until < clock_timestamp())
    order by random() limit 1 for update skip locked`.execute(tx)
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

/** Up to `size` of those next in order; null where there is none any more. */
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
      select seq, state from deliveries where campaign_id = ${campaignId} and seq > ${run.cursor}
      order by seq limit ${stretch}
    )
    select array(select seq from next where state = 'q' order by seq limit ${size}) as seqs,
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
      case when d.state = 'i' then extract(epoch from now() - d.in_flight_at) * 1000 else 0 end::float8 as "inFlightMs"
    from deliveries d
    where d.campaign_id = ${campaignId} and d.state in ('q', 'i')
      and d.seq = any((select w.seqs from delivery_windows w where w.id = ${windowId})::integer[])
    order by d.seq`.execute(tx)
  return rows
}
