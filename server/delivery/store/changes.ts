import { type RawBuilder, sql } from 'kysely'
import type { ShownUnconfirmed } from '../../../contract/campaigns.ts'
import type { Database, Transaction } from '../../platform/database.ts'
import { EARLIER_TRY, endsAs } from '../doubt.ts'
import { isOnList } from './suppressed.ts'

/** Rows changed in one go: a tenth of a second, so that nobody waits long for a lock. */
const CHUNK = 10_000

/**
 * As a list, which is looked up by the key whatever the planner believes: where most campaigns are small, it takes a
 * large one for small too, and would compare each of ten thousand with each.
 */
const isPicked = sql`d.seq = any(array(select seq from picked))`

/**
 * Pausing and resuming: false when the campaign is not this user's, or has ended already. Whoever pauses what is paused,
 * by an old button, does not take away why it is: in a restored copy, for example, that resuming may send twice.
 */
export async function setRunState(
  db: Database | Transaction,
  userId: string,
  campaignId: string,
  { from, to }: { from: readonly string[]; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ state: to, paused_reason: sql`case when state = ${to} then paused_reason end` })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('state', 'in', [...from])
    .where('is_open', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * For a campaign that may no longer send: returns when no step is left that began before that was known, and might still
 * put mails in flight. A step keeps its window locked to its end.
 */
export async function letStepsEnd(db: Database, campaignId: string): Promise<void> {
  await sql`select from delivery_windows where campaign_id = ${campaignId} order by id for share`.execute(db)
}

/**
 * Ends what a cancelled campaign still has queued, one chunk a call; false when nothing is left to do. What is in flight
 * and in nobody's hands is never settled by us any more: a doubtful call that would have been repeated, or the share of
 * a worker that died (if `mayTakeOver`), which whoever has windows in hand did not. Its deliveries are unknown, not
 * cancelled.
 */
export async function sweepCancelled(
  db: Database,
  campaignId: string,
  { mayTakeOver, inHand = [] }: { mayTakeOver: boolean; inHand?: readonly string[] },
): Promise<boolean> {
  const isHeld = sql`token is not null
    and (not ${mayTakeOver} or lease_until >= clock_timestamp() or id = any(${inHand}::bigint[]))`
  const { rows } = await sql<{ swept: number }>`
    with held as materialized (
      select unnest(seqs) as seq from delivery_windows where campaign_id = ${campaignId} and ${isHeld}
    ),
    picked as (
      select seq, state from deliveries
      where campaign_id = ${campaignId} and (state = 'q' or state = 'i' and seq not in (select seq from held))
      order by seq limit ${CHUNK} for update skip locked
    ),
    swept as (
      update deliveries d set
        -- An event about it proves that it was taken.
        state = case when d.state = 'q' then ${sql.raw(endsAs('c'))}
          else (case when d.confirmed_at is null then 'u' else 'a' end)::"char" end,
        accepted_at = case when d.state = 'i' then coalesce(d.accepted_at, d.confirmed_at) else d.accepted_at end,
        reason = case when d.confirmed_at is not null then case when d.bounce is not null then d.reason end
          when d.state = 'q' then 'Cancelled before it was sent' || case when d.may_have_left then ' again' else '' end
            || ${sql.raw(EARLIER_TRY)}
          when d.next_try_at is null then 'Cancelled while this mail was on its way; it may or may not have been taken'
          else coalesce(d.reason, 'The provider gave no clear answer') || '; cancelled before it could be asked again' end,
        next_try_at = null, call_seq = null, call_size = null
      where d.campaign_id = ${campaignId} and ${isPicked} and exists (
        select from runs r where r.campaign_id = ${campaignId} and r.state = 'cancelled')
      returning d.state
    ),
    moved as (
      select count(*) filter (where state = 'c') as cancelled, count(*) filter (where state = 'u') as unknown,
        count(*) filter (where state = 'a') as accepted, count(*) as n,
        (select count(*) from picked where state = 'q') as waited
      from swept
    ),
    -- Counted on from the values under the lock: those at the beginning of the statement may be older than the rows.
    locked as materialized (
      select r.* from runs r, moved m where r.campaign_id = ${campaignId} and m.n > 0 for no key update of r
    )
    update runs r set
      queued = l.queued - m.waited, cancelled = l.cancelled + m.cancelled,
      in_flight = l.in_flight - (m.n - m.waited), unknown = l.unknown + m.unknown, accepted = l.accepted + m.accepted,
      is_open = l.queued + l.in_flight - m.n > 0
    from moved m, locked l where r.campaign_id = ${campaignId} and m.n > 0
    returning m.n::integer as swept`.execute(db)
  if ((rows[0]?.swept ?? 0) >= CHUNK) return true
  await db.transaction().execute((tx) => dropUnheld(tx, campaignId, sql`not (${isHeld})`))
  return false
}

/**
 * What is cancelled needs no windows; what has been queued again since, and is being sent, would be forgotten without
 * them. Windows are locked before runs, as by everybody.
 */
async function dropUnheld(tx: Transaction, campaignId: string, isUnheld: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from delivery_windows where campaign_id = ${campaignId} and ${isUnheld} order by id for update`.execute(
    tx,
  )
  const cancelled = await sql`
    select from runs where campaign_id = ${campaignId} and state = 'cancelled' for share`.execute(tx)
  if (cancelled.rows.length === 0) return
  await sql`delete from delivery_windows where id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
}

/**
 * Queues again what ended as `state`; answers how many. Each starts with all its tries before it. Of the unknown whoever
 * is on the suppression list stays as they are: left out once more they would be unknown again, however often it is tried.
 * And it begins only where they are those who were shown, if that is told, and nobody in flight may join them yet.
 *
 * In chunks, of those who had ended so when it began: what the first one queues is on its way when the next one looks,
 * and may have ended so once more.
 */
export async function queueAgain(
  db: Database,
  userId: string,
  campaignId: string,
  state: 'f' | 'u',
  shown?: ShownUnconfirmed,
): Promise<number> {
  const ended = sql`from deliveries d join runs r using (campaign_id)
    where d.campaign_id = ${campaignId} and r.user_id = ${userId} and d.state = ${state}`
  const mayBegin = state === 'f' ? sql`true` : sql`r.in_flight = 0 and ${isAsShown(shown)}`
  const isWanted = state === 'f' ? sql`true` : sql`not ${isOnList}`
  let total = 0
  let waiting: Chunk[] | undefined
  do {
    total += await db.transaction().execute(async (tx) => {
      await leaveWindows(tx, campaignId, state)
      waiting ??= await inChunks(tx, sql`${ended} and ${mayBegin}`)
      const chunk = waiting.shift()
      if (!chunk) return 0
      const isFirst = total === 0
      // Whom another press has sent it to meanwhile is not sent it once more, and nobody whom a cancel has stopped.
      const mayGoOn = sql`r.state <> 'cancelled' and coalesce(d.in_flight_at, '-infinity') < ${chunk.began}::timestamptz`
      const among = sql`${ended} and d.seq = any(${chunk.seqs}::integer[]) and ${isWanted}
        and ${isFirst ? mayBegin : mayGoOn}`
      return queueChunk(tx, campaignId, { state, among, isFirst })
    })
  } while (waiting?.length)
  return total
}

/** In the words of the database: a million numbers are no work for anybody else, and its times are finer than ours. */
type Chunk = { seqs: string; began: string }

async function inChunks(tx: Transaction, those: RawBuilder<unknown>): Promise<Chunk[]> {
  const { rows } = await sql<Chunk>`
    select array_agg(seq order by seq)::text as seqs, statement_timestamp()::text as began
    from (select d.seq, (row_number() over (order by d.seq) - 1) / ${CHUNK}::integer as chunk ${those}) numbered
    group by chunk order by chunk`.execute(tx)
  return rows
}

async function queueChunk(
  tx: Transaction,
  campaignId: string,
  { state, among, isFirst }: { state: 'f' | 'u'; among: RawBuilder<unknown>; isFirst: boolean },
): Promise<number> {
  const isOver = sql`not r.is_open and ${isFirst}`
  const { rows } = await sql<{ again: number }>`
    -- Of whoever was claimed and has ended since the windows were left: in two windows at once one of them would be taken
    -- for left behind. They stay as they ended, and the next press finds them.
    with held as materialized (
      select unnest(seqs) as seq from delivery_windows where campaign_id = ${campaignId}
    ),
    picked as (
      select d.seq ${among} and d.seq not in (select seq from held) order by d.seq for update of d
    ),
    queued as (
      update deliveries d set state = 'q', attempts = 0, reason = null, next_try_at = now(),
        call_seq = null, call_size = null, may_have_left = d.may_have_left or d.state = 'u'
      where d.campaign_id = ${campaignId} and ${isPicked} and d.state = ${state}
      returning d.seq
    ),
    moved as (select count(*) as n from queued)
    update runs r set
      queued = r.queued + m.n, is_open = true,
      failed = r.failed - case when ${state} = 'f' then m.n else 0 end,
      unknown = r.unknown - case when ${state} = 'u' then m.n else 0 end,
      rounds = r.rounds + case when ${isFirst} then 1 else 0 end,
      -- What has ended begins anew, however it was stopped then: nobody could resume it. Only the first chunk finds it
      -- so; a campaign that is paused or cancelled meanwhile stays so, and one that is cancelled is swept.
      state = case when ${isOver} then 'sending' else r.state end,
      paused_reason = case when ${isOver} then null else r.paused_reason end
    from moved m where r.campaign_id = ${campaignId} and m.n > 0
    returning m.n::integer as again`.execute(tx)
  return rows[0]?.again ?? 0
}

const isAsShown = (shown: ShownUnconfirmed | undefined): RawBuilder<unknown> =>
  shown === undefined
    ? sql`true`
    : sql`${JSON.stringify({ rounds: shown.round, ...shown.counts })}::jsonb = json_build_object('rounds', r.rounds,
        'queued', r.queued, 'inFlight', r.in_flight, 'accepted', r.accepted, 'failed', r.failed, 'unknown', r.unknown,
        'suppressed', r.suppressed, 'cancelled', r.cancelled)::jsonb`

/**
 * What has ended is nobody's any more: whoever held it, alive or dead, has no say in what is queued again. The windows
 * are locked by a statement of its own, so that the next one sees what a step that held them has just written.
 */
async function leaveWindows(tx: Transaction, campaignId: string, state: 'f' | 'u'): Promise<void> {
  await sql`select from delivery_windows where campaign_id = ${campaignId} order by id for no key update`.execute(
    tx,
  )
  await sql`
    update delivery_windows w set seqs = array(
      select s from unnest(w.seqs) s where not exists (
        select from deliveries d where d.campaign_id = ${campaignId} and d.seq = s and d.state = ${state}))
    where w.campaign_id = ${campaignId}`.execute(tx)
}

const RESTORED =
  'This database was restored from a backup, or took the place of another, and mail may have been sent that it does not know of. Check, then resume or cancel'

/**
 * Nothing of a restored copy is sent before a person says so; answers how many campaigns wait. One that was paused then
 * may have been resumed since: the copy says so before whatever it was paused for, and a copy of the copy says it once.
 */
export async function pauseAllRestored(tx: Transaction): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    -- All who lock several runs do it in this order.
    with open as materialized (
      select campaign_id from runs where is_open and state in ('sending', 'paused')
      order by campaign_id for no key update
    )
    update runs r set state = 'paused',
      paused_reason = case when starts_with(r.paused_reason, ${RESTORED}) then r.paused_reason
        else concat_ws('. ', ${RESTORED}::text, r.paused_reason) end
    from open where r.campaign_id = open.campaign_id`.execute(tx)
  return Number(numAffectedRows)
}
