import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { Record } from '../protection.ts'
import type { Moved } from './events.ts'

/** Long enough to judge by, short enough that somebody who has mended their list is not held to the old one. */
const DAYS = 7

/**
 * Sums over the runs of one user: never over deliveries. What the provider took and then did not send has neither arrived
 * nor come back: that says nothing about the addresses.
 */
export async function recordOf(db: Database, userId: string, account: string): Promise<Record> {
  const { rows } = await sql<Record>`
    select coalesce(sum(case when delivered > 0 then delivered else accepted - bounced end), 0)::integer as arrived,
      coalesce(sum(bounced - coalesce(unsent, 0)), 0)::integer as bounced,
      coalesce(sum(complained), 0)::integer as complained
    from runs
    where user_id = ${userId} and account = ${account} and created_at > now() - ${DAYS} * interval '1 day'`.execute(
    db,
  )
  return rows[0] ?? { arrived: 0, bounced: 0, complained: 0 }
}

/** Everything of this user that is being sent by the account; answers what was. */
export async function pauseAllOf(
  tx: Transaction,
  { userId, account, reason }: { userId: string; account: string; reason: string },
): Promise<Moved[]> {
  const { rows } = await sql<{ id: string }>`
    -- All who lock several runs do it in this order.
    with mine as materialized (
      select campaign_id from runs
      where user_id = ${userId} and account = ${account} and is_open and state = 'sending'
      order by campaign_id for no key update
    )
    update runs r set state = 'paused', paused_reason = ${reason} from mine where r.campaign_id = mine.campaign_id
    returning r.campaign_id as id`.execute(tx)
  return rows.map(({ id }) => ({ id, userId }))
}
