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
}

export async function noteMissed(db: Database, inboxId: string, reason: MissedReason): Promise<void> {
  await sql`
    insert into inbox_missed (inbox_id, reason) values (${inboxId}, ${reason})
    on conflict (inbox_id, reason) do update set last_at = now()`.execute(db)
}

type Missed = { reason: MissedReason; firstAt: Date; lastAt: Date }

export async function listMissed(db: Database, userId: string): Promise<Missed[]> {
  const { rows } = await sql<Missed>`
    select m.reason, m.first_at as "firstAt", m.last_at as "lastAt"
    from inbox_missed m join inboxes i on i.id = m.inbox_id
    where i.user_id = ${userId} and m.last_at > now() - interval '7 days' order by m.last_at desc`.execute(db)
  return rows
}
