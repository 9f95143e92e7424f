import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

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
  /** Windows that this worker holds: alive as it is, it has left none of them behind. */
  inHand?: readonly string[]
}

/** Of a run `r` that may be sent: whether there is anything to be claimed. */
const hasDue = (mayTakeOver: boolean, inHand: readonly string[] = []) => sql`(
  r.cursor < r.last_seq
  or exists (select from deliveries d where d.campaign_id = r.campaign_id and d.next_try_at <= now())
  or exists (
    select from delivery_windows w where w.campaign_id = r.campaign_id
      and (w.token is null
        or ${mayTakeOver} and w.lease_until < clock_timestamp() and w.id <> all(${inHand}::bigint[]))
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
  { mayTakeOver, limit, full, served, sated = [], duringOutage = [], inHand = [] }: Search,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with open as (
      select r.campaign_id, r.user_id, r.account, r.state, r.created_at, h.account is not null as is_held
      from runs r left join account_holds h on h.account = r.account and h.held_until > clock_timestamp()
      where r.is_open and (
        -- What is still in somebody's hands will be settled by them.
        r.state = 'cancelled' and (r.queued > 0 or not exists (
          select from delivery_windows w where w.campaign_id = r.campaign_id
            and (w.lease_until >= clock_timestamp() or w.id = any(${inHand}::bigint[]))))
        -- What a dead worker had in flight does not wait for the end of a hold, which may be far or never come.
        or (r.state = 'paused' or r.state = 'sending' and h.account is not null) and ${mayTakeOver} and exists (
          select from delivery_windows w where w.campaign_id = r.campaign_id
            and w.lease_until < clock_timestamp() and w.id <> all(${inHand}::bigint[]))
        -- Nobody sends more than there is room for; what is not to be sent is accounted for all the same.
        or r.state = 'sending' and h.account is null and r.campaign_id <> all(${full}::uuid[])
          and r.user_id <> all(${sated}::uuid[]) and ${hasDue(mayTakeOver, inHand)}
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
