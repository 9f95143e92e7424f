import { sql } from 'kysely'
import type { SuppressionReason } from '../../contract/suppressions.ts'
import type { AddressSearch } from '../platform/address-search.ts'
import type { Database } from '../platform/database.ts'

const REASONS = {
  'hard-bounce': 'h',
  'soft-bounces': 's',
  complaint: 'c',
  unsubscribed: 'u',
  manual: 'm',
} as const satisfies Record<SuppressionReason, string>
const NAMES = new Map<string, SuppressionReason>(
  (Object.entries(REASONS) as [SuppressionReason, string][]).map(([name, letter]) => [letter, name]),
)

/** Where a page ends: microseconds, for many come at the same moment, and then the address decides. */
export type Place = { micros: string; key: string }
export type Row = {
  address: string
  key: string
  reason: SuppressionReason
  words: string | null
  campaign: { id: string; subject: string } | null
  since: Date
  micros: string
}
type Filter = {
  search: AddressSearch | null
  reason: SuppressionReason | null
  after: Place | null
  limit: number
}

/** Newest first. */
export async function list(db: Database, userId: string, filter: Filter): Promise<Row[]> {
  const { search, reason, after, limit } = filter
  const { rows } = await sql<Omit<Row, 'reason'> & { reason: string }>`
    select s.address, s.address_key as key, s.reason::text as reason, s.words, s.created_at as since,
      (extract(epoch from s.created_at) * 1000000)::bigint::text as micros,
      case when c.id is not null then json_build_object('id', c.id, 'subject', c.subject) end as campaign
    from suppressions s
    left join campaigns c on c.id = s.campaign_id and c.user_id = s.user_id
    where s.user_id = ${userId}
      and ${search === null ? sql`true` : matches(search)}
      and ${reason === null ? sql`true` : sql`s.reason = ${REASONS[reason]}::"char"`}
      and ${after === null ? sql`true` : isBehind(after)}
    order by s.created_at desc, s.address_key limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, reason: nameOf(row.reason) }))
}

const matches = ({ key, shown }: AddressSearch) =>
  sql`(position(${key} in s.address_key) > 0 or position(${shown} in lower(s.address)) > 0)`

const isBehind = ({ micros, key }: Place) => {
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  return sql`s.created_at <= ${at} and (s.created_at < ${at} or s.address_key > ${key})`
}

function nameOf(letter: string): SuppressionReason {
  const name = NAMES.get(letter)
  if (!name) throw new Error(`no reason is written ${letter}`)
  return name
}

export type Mailbox = { address: string; key: string }

/** Answers how many are new. */
export async function add(db: Database, userId: string, mailboxes: readonly Mailbox[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into suppressions (user_id, address_key, address, reason)
    select distinct on (key collate "C") ${userId}::uuid, key, address, 'm'::"char"
    from unnest(${mailboxes.map(({ key }) => key)}::text[], ${mailboxes.map(({ address }) => address)}::text[])
      as m (key, address)
    -- All who suppress several do it in this order, which is the column's own.
    order by key collate "C"
    on conflict (user_id, address_key) do nothing`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Null is whatever the reason. What came back in a row is forgotten with it: else the next soft bounce would bring the
 * mailbox back at once.
 */
export async function remove(
  db: Database,
  userId: string,
  key: string,
  reason: SuppressionReason | null,
): Promise<boolean> {
  const { rows } = await sql<{ isGone: boolean }>`
    -- Whoever notes a bounce locks these in the same order.
    with in_a_row as materialized (
      select from soft_bounces where user_id = ${userId} and address_key = ${key} for update
    ),
    gone as (
      delete from suppressions where user_id = ${userId} and address_key = ${key}
        and (select count(*) from in_a_row) >= 0
        and ${reason === null ? sql`true` : sql`reason = ${REASONS[reason]}::"char"`}
      returning 1
    ),
    forgotten as (
      delete from soft_bounces where user_id = ${userId} and address_key = ${key} and exists (select from gone)
    )
    select exists (select from gone) as "isGone"`.execute(db)
  return rows[0]?.isGone ?? false
}

export type Entry = Pick<Row, 'address' | 'reason'>

export async function find(db: Database, userId: string, key: string): Promise<Entry | null> {
  const { rows } = await sql<{ address: string; letter: string }>`
    select address, reason::text as letter from suppressions
    where user_id = ${userId} and address_key = ${key}`.execute(db)
  const [row] = rows
  return row ? { address: row.address, reason: nameOf(row.letter) } : null
}

export async function findSuppressed(
  db: Database,
  userId: string,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('suppressions')
    .select('address_key as key')
    .where('user_id', '=', userId)
    .where(sql<boolean>`address_key = any(${keys}::text[])`)
    .execute()
  return rows.map(({ key }) => key)
}
