import { sql } from 'kysely'
import type { MissedReason } from '../../../contract/inbox.ts'
import type { Database, Transaction } from '../../platform/database.ts'

/** What may come to one inbox on one day; 0 is no limit. */
export type DailyLimits = { messages: number; bytes: number }

const today = sql<number>`floor(extract(epoch from now()) / 86400)::integer`
const isWithin = (sum: ReturnType<typeof sql>, limit: number) =>
  sql<boolean>`(${limit}::bigint = 0 or ${sum} <= ${limit}::bigint)`

/** Whether the inbox takes one more message of this size today. */
export async function hasQuota(
  db: Database | Transaction,
  inboxId: string,
  size: number,
  limits: DailyLimits,
): Promise<boolean> {
  const { rows } = await sql<{ isOver: boolean }>`
    select not (${isWithin(sql`messages + 1`, limits.messages)} and ${isWithin(sql`bytes + ${size}::bigint`, limits.bytes)})
      as "isOver"
    from inbox_days where inbox_id = ${inboxId} and day = ${today}`.execute(db)
  return rows[0]?.isOver !== true
}

/** Counts it; false where others were sooner and the day is over its limit. Those who count for one inbox wait here. */
export async function countArrival(
  tx: Transaction,
  inboxId: string,
  size: number,
  limits: DailyLimits,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into inbox_days as d (inbox_id, day, messages, bytes) values (${inboxId}, ${today}, 1, ${size}::bigint)
    on conflict (inbox_id, day) do update set messages = d.messages + 1, bytes = d.bytes + excluded.bytes
    where ${isWithin(sql`d.messages + 1`, limits.messages)}
      and ${isWithin(sql`d.bytes + excluded.bytes`, limits.bytes)}`.execute(tx)
  return numAffectedRows === 1n
}

/** What is older than a week. */
export async function forgetCounts(db: Database): Promise<void> {
  await sql`delete from inbox_days where day < ${today} - 7`.execute(db)
  await sql`delete from inbox_missed where last_at < now() - interval '7 days'`.execute(db)
  await sql`delete from inbox_unfetched where last_at < now() - interval '7 days'`.execute(db)
}

export async function noteMissed(db: Database, inboxId: string, reason: MissedReason): Promise<void> {
  await sql`
    insert into inbox_missed (inbox_id, reason) values (${inboxId}, ${reason})
    on conflict (inbox_id, reason) do update set last_at = now()`.execute(db)
}

/** In the same order for everybody, so that two who note the same mail do not wait for each other. */
export async function noteUnfetched(db: Database, inboxIds: readonly string[], mail: string): Promise<void> {
  await sql`
    insert into inbox_unfetched (inbox_id, mail)
    select id, ${mail} from inboxes where id = any(${inboxIds}) order by id
    on conflict (inbox_id, mail) do update set last_at = now()`.execute(db)
}

export async function withdrawUnfetched(
  db: Database,
  inboxIds: readonly string[],
  mail: string,
): Promise<void> {
  await sql`delete from inbox_unfetched where inbox_id = any(${inboxIds}) and mail = ${mail}`.execute(db)
}

type Missed = { reason: MissedReason; firstAt: Date; lastAt: Date }

/**
 * What was asked for in vain once, or twice within seconds, is not told of: most of it comes the next time. And where two
 * calls about one mail cross, the one that fails may be noted after the mail has come, but never a second time.
 */
const isAskedForInVain = sql<boolean>`u.last_at > u.first_at + interval '1 minute'`

export async function listMissed(db: Database, userId: string): Promise<Missed[]> {
  const { rows } = await sql<Missed>`
    select m.reason, m.first_at as "firstAt", m.last_at as "lastAt"
    from inboxes i cross join lateral (
      select reason, first_at, last_at from inbox_missed where inbox_id = i.id
      union all
      select 'not-fetched', min(u.first_at), max(u.last_at) from inbox_unfetched u
      where u.inbox_id = i.id and ${isAskedForInVain}
    ) m
    where i.user_id = ${userId} and m.last_at > now() - interval '7 days' order by m.last_at desc`.execute(db)
  return rows
}
