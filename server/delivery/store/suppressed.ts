import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import { EARLIER_TRY, endsAs } from '../doubt.ts'
import { createPauses } from './busy-rows.ts'
import type { Moved } from './events.ts'

/** What the list of deliveries says of somebody who was left out; `s` is their entry in the list. */
export const LEFT_OUT_REASON = `case s.reason
  when 'h' then 'Left out: an earlier mail to this address came back for good'
  when 's' then 'Left out: the last mails to this address all came back'
  when 'c' then 'Left out: this person reported one of your mails as spam'
  when 'u' then 'Left out: this person has unsubscribed'
  else 'Left out: this address is on your suppression list' end`
const leftOut = sql`state = ${sql.raw(endsAs('s'))}, reason = ${sql.raw(`${LEFT_OUT_REASON} || ${EARLIER_TRY}`)},
  next_try_at = null, call_seq = null, call_size = null`
/** Of those: how many they are, and how many of them may have got the mail before. */
const leftOutCounts = sql`count(*) as n, count(*) filter (where state = 'u') as doubtful`

/** Whether the recipient of `d` is on the list of whose run `r` is. */
export const isOnList = sql`exists (
  select from suppressions s where s.user_id = r.user_id and s.address_key = d.address_key)`

/** How many may have got the mail or are just being sent it, and whether all of the former are on the list. */
export async function findUnknown(
  db: Database,
  campaignId: string,
): Promise<{ unknown: number; inFlight: number; areAllOnList: boolean }> {
  const { rows } = await sql<{ unknown: number; inFlight: number; areAllOnList: boolean }>`
    select r.unknown, r.in_flight as "inFlight", not exists (
      select from deliveries d where d.campaign_id = r.campaign_id and d.state = 'u' and not ${isOnList}
    ) as "areAllOnList"
    from runs r where r.campaign_id = ${campaignId}`.execute(db)
  return rows[0] ?? { unknown: 0, inFlight: 0, areAllOnList: true }
}

/** As a campaign comes in: who is on the list never waits to be sent. Answers their addresses. */
export async function leaveOutAtIntake(
  tx: Transaction,
  { campaignId, userId }: { campaignId: string; userId: string },
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    update deliveries d set ${leftOut} from suppressions s
    where s.user_id = ${userId} and d.campaign_id = ${campaignId} and d.address_key = s.address_key
    returning d.address`.execute(tx)
  return rows.map(({ address }) => address)
}

/**
 * As a window is claimed: whoever came onto the list since. Who is being written by somebody else at this moment is
 * theirs, and waiting for them here could never end: they wait for the counts that claiming holds.
 */
export async function leaveOutAtClaim(tx: Transaction, campaignId: string, windowId: string): Promise<void> {
  await sql`
    with picked as (
      select d.seq, s.reason from deliveries d
      join runs r on r.campaign_id = d.campaign_id
      join suppressions s on s.user_id = r.user_id and s.address_key = d.address_key
      where d.campaign_id = ${campaignId} and d.state = 'q'
        and d.seq = any((select w.seqs from delivery_windows w where w.id = ${windowId})::integer[])
      for no key update of d skip locked
    ),
    left_out as (
      update deliveries d set ${leftOut} from picked s
      where d.campaign_id = ${campaignId} and d.seq = s.seq and d.state = 'q' returning d.state
    )
    update runs r set queued = r.queued - n, suppressed = r.suppressed + n - doubtful, unknown = r.unknown + doubtful,
      is_open = r.queued - n + r.in_flight > 0
    from (select ${leftOutCounts} from left_out) l where r.campaign_id = ${campaignId} and n > 0`.execute(tx)
}

/** Some milliseconds each, so that nobody waits long for a lock. */
const CHUNK = 1_000

/**
 * The moment somebody comes onto the list: what is queued for them anywhere, claimed by a worker or not, will not be
 * sent any more. A worker puts in flight only what is still queued. Tells each campaign as soon as it is committed.
 */
export async function leaveOutQueued(
  db: Database,
  userId: string,
  keys: readonly string[],
  tell?: (campaign: Moved) => void,
): Promise<void> {
  for (let start = 0; start < keys.length; start += CHUNK) {
    const chunk = keys.slice(start, start + CHUNK)
    const pause = createPauses()
    for (;;) {
      const { ids, areSomeBusy } = await leaveOutThose(db, userId, chunk)
      for (const id of ids) tell?.({ id, userId })
      if (!areSomeBusy) break
      await pause()
    }
  }
}

async function leaveOutThose(
  db: Database,
  userId: string,
  keys: readonly string[],
): Promise<{ ids: string[]; areSomeBusy: boolean }> {
  const { rows } = await sql<{ ids: string[]; areSomeBusy: boolean }>`
    with wanted as materialized (
      select d.campaign_id, d.seq, s.reason from runs r
      join deliveries d on d.campaign_id = r.campaign_id and d.address_key = any(${keys})
      join suppressions s on s.user_id = r.user_id and s.address_key = d.address_key
      where r.user_id = ${userId} and r.is_open and d.state = 'q'
    ),
    picked as materialized (
      select w.* from wanted w join deliveries d on d.campaign_id = w.campaign_id and d.seq = w.seq
      where d.state = 'q' for no key update of d skip locked
    ),
    left_out as (
      update deliveries d set ${leftOut} from picked s
      where d.campaign_id = s.campaign_id and d.seq = s.seq and d.state = 'q' returning d.campaign_id, d.state
    ),
    counted as (select campaign_id, ${leftOutCounts} from left_out group by campaign_id),
    -- Counted on from the values under the lock: those at the beginning of the statement may be older than the rows.
    locked as materialized (
      select r.* from runs r where r.campaign_id in (select campaign_id from counted)
      order by r.campaign_id for no key update
    ),
    moved as (
      update runs r set queued = l.queued - c.n, suppressed = l.suppressed + c.n - c.doubtful,
        unknown = l.unknown + c.doubtful, is_open = l.queued - c.n + l.in_flight > 0
      from counted c join locked l using (campaign_id) where r.campaign_id = c.campaign_id
      returning r.campaign_id
    )
    select array(select campaign_id::text from moved) as ids,
      (select count(*) from wanted) > (select count(*) from picked) as "areSomeBusy"`.execute(db)
  return rows[0] ?? { ids: [], areSomeBusy: false }
}
