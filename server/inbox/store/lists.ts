import { type RawBuilder, sql } from 'kysely'
import type { InboxItem } from '../../../contract/inbox.ts'
import type { Place } from '../../platform/cursors.ts'
import type { Database } from '../../platform/database.ts'
import { type Folder, folderOf, letterOf } from '../folders.ts'
import { ANY_SLICE, SLICE_LENGTH, SLICE_SECONDS, type WordQuery } from '../words.ts'

export type Item = Omit<InboxItem, 'timestamp'> & { timestamp: Date }

/** A mail can name hundreds; a list shows the first of them. */
const LISTED_RECIPIENTS = sql`m.recipients[1:20]`

type Row = Omit<Item, 'from' | 'to' | 'folder'> & {
  fromName: string
  fromAddress: string
  recipients: string[]
  folder: string
}

export const itemColumns = (recipients: RawBuilder<unknown>) => sql`
  m.id as "messageId", m.inbox_id as "inboxId", m.from_name as "fromName", m.from_address as "fromAddress",
  ${recipients} as recipients, m.subject, m.preview, m.received_at as timestamp,
  m.opened_at is null as "isUnread", m.folder::text as folder, m.is_automatic as "isAutomatic",
  m.attachments as "attachmentCount",
  case when c.id is not null then json_build_object('id', c.id, 'subject', c.subject) end as campaign`

/** The campaign that a conversation began with. A reply of our own is one too, but says nothing that is not shown. */
export const itemTables = sql`
  inbox_messages m
  left join inbox_messages root on root.id = m.conversation_id and root.user_id = m.user_id
  left join campaigns c on c.id = coalesce(root.campaign_id, m.campaign_id) and c.user_id = m.user_id
    and c.conversation_id is null`

export const itemOf = ({ fromName, fromAddress, recipients, folder, ...row }: Row): Item => ({
  ...row,
  from: { name: fromName, email: fromAddress },
  to: recipients.map((email) => ({ email })),
  folder: folderOf(folder),
})

/** Those of the user, newest first; those that are gone are left out. */
export async function findItems(db: Database, userId: string, ids: readonly string[]): Promise<Item[]> {
  const { rows } = await sql<Row>`
    select ${itemColumns(LISTED_RECIPIENTS)} from ${itemTables}
    where m.id = any(${ids}::uuid[]) and m.user_id = ${userId} and m.state <> 'w'
    order by m.received_at desc, m.id desc`.execute(db)
  return rows.map(itemOf)
}

const position = sql<string>`(extract(epoch from m.received_at) * 1000000)::bigint::text`
const isBefore = (before: Place | null) =>
  before === null
    ? sql`true`
    : sql`(m.received_at, m.id) < (timestamptz 'epoch' + ${before.position}::bigint * interval '1 microsecond', ${before.id}::uuid)`

export type Range = { folder: Folder; before: Place | null; limit: number }

/** By time, newest first. */
export async function listPlaces(
  db: Database,
  userId: string,
  { folder, before, limit }: Range,
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select m.id, ${position} as position from inbox_messages m
    where m.user_id = ${userId} and m.folder = ${letterOf(folder)} and m.state <> 'w' and ${isBefore(before)}
    order by m.received_at desc, m.id desc limit ${limit}`.execute(db)
  return rows
}

/** What answers a campaign, newest first, in all folders. */
export async function listAnswers(
  db: Database,
  userId: string,
  campaignId: string,
  { before, limit }: Omit<Range, 'folder'>,
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select m.id, ${position} as position from inbox_messages m
    where m.campaign_id = ${campaignId} and m.user_id = ${userId} and m.state <> 'w' and ${isBefore(before)}
    order by m.received_at desc, m.id desc limit ${limit}`.execute(db)
  return rows
}

export type AnswerCounts = { all: number; automatic: number }

export async function countAnswers(db: Database, userId: string, campaignId: string): Promise<AnswerCounts> {
  const { rows } = await sql<AnswerCounts>`
    select count(*)::integer as "all", (count(*) filter (where is_automatic))::integer as automatic
    from inbox_messages
    where campaign_id = ${campaignId} and user_id = ${userId} and state <> 'w'`.execute(db)
  return rows[0] ?? { all: 0, automatic: 0 }
}

/** As the words were cut: a number for each week. */
const sliceAt = (time: RawBuilder<unknown>) => sql<number>`
  floor(extract(epoch from ${time}) / ${sql.lit(SLICE_SECONDS)})::integer`
const inSlice = (query: string, slice: RawBuilder<unknown>) => sql`
  replace(${query}, ${sql.lit(ANY_SLICE)}, lpad(to_hex(${slice}), ${sql.lit(SLICE_LENGTH)}, '0'))::tsquery`

/** Goes through so many in the order of time, and names those that match. `isEnd`: there were no more. */
export async function walkMatching(
  db: Database,
  userId: string,
  query: string,
  { folder, before, limit, atMost }: Range & { atMost: number },
): Promise<{ found: Place[]; isEnd: boolean }> {
  const { rows } = await sql<{ id: string | null; position: string | null; walked: number }>`
    with walked as materialized (
      select m.id, m.received_at, m.search @@ ${inSlice(query, sliceAt(sql`m.received_at`))} as is_found from inbox_messages m
      where m.user_id = ${userId} and m.folder = ${letterOf(folder)} and m.state <> 'w' and ${isBefore(before)}
      order by m.received_at desc, m.id desc limit ${atMost}
    )
    select m.id, ${position} as position, w.walked
    from (select count(*)::integer as walked from walked) w
    left join (
      select id, received_at from walked where is_found order by received_at desc, id desc limit ${limit}
    ) m on true
    order by m.received_at desc, m.id desc`.execute(db)
  const found = rows.flatMap(({ id, position: at }) =>
    id === null || at === null ? [] : { id, position: at },
  )
  return { found, isEnd: (rows[0]?.walked ?? 0) < atMost }
}

/** By the index of words: slice by slice, newest first, until there are enough. */
export async function findMatching(
  db: Database,
  userId: string,
  query: WordQuery,
  { folder, before, limit }: Range,
): Promise<Place[]> {
  const isHere = sql`
    m.user_id = ${userId} and m.folder = ${letterOf(folder)} and m.state <> 'w' and ${isBefore(before)}`
  const ends = sql<{ newest: number | null; oldest: number | null }>`
    select ${sliceAt(sql`max(m.received_at)`)} as newest, ${sliceAt(sql`min(m.received_at)`)} as oldest
    from inbox_messages m where ${isHere}`
  const slice = sql`s.slice`
  // In a form that the index does not know, or it would be asked for this too.
  const isLeft =
    query.all === query.narrowing ? sql`true` : sql`coalesce(m.search @@ ${inSlice(query.all, slice)}, false)`
  const matching = (newest: number, oldest: number) => sql<Place>`
    select m.id, ${position} as position from generate_series(${newest}::integer, ${oldest}::integer, -1) as s (slice)
    cross join lateral (
      select m.id, m.received_at from inbox_messages m
      where m.search @@ ${inSlice(query.narrowing, slice)} and ${isLeft} and ${isHere}
      order by m.received_at desc, m.id desc limit ${limit}
    ) m
    limit ${limit}`
  return db.transaction().execute(async (tx) => {
    const [range] = (await ends.execute(tx)).rows
    if (!range || range.newest === null || range.oldest === null) return []
    // Whatever the planner believes of words that it has never seen: only the index is better than reading everything.
    await sql`
      select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
      tx,
    )
    return (await matching(range.newest, range.oldest).execute(tx)).rows
  })
}

export async function countUnread(
  db: Database,
  userId: string,
): Promise<{ folder: Folder; count: number }[]> {
  const { rows } = await sql<{ folder: string; count: number }>`
    select folder::text as folder, count(*)::integer as count from inbox_messages
    where user_id = ${userId} and opened_at is null and state <> 'w' and folder in ('i', 'm')
    group by folder`.execute(db)
  return rows.map(({ folder, count }) => ({ folder: folderOf(folder), count }))
}
