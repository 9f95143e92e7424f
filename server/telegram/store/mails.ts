import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

const inInbox = (userId: string) => sql`m.user_id = ${userId} and m.folder = 'i' and m.state <> 'w'`

/** What is in the inbox of a user: unread mails first, each kind newest first. */
export async function listMails(
  db: Database,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<string[]> {
  // Of each kind no more than can be on this page: nobody sorts a whole inbox for five mails.
  const newest = (isUnread: boolean) => sql`
    (select m.id, m.received_at, ${sql.lit(isUnread)} as is_unread from inbox_messages m
    where ${inInbox(userId)} and ${isUnread ? sql`m.opened_at is null` : sql`m.opened_at is not null`}
    order by m.received_at desc, m.id desc limit ${offset + limit})`
  const { rows } = await sql<{ id: string }>`
    select id from (${newest(true)} union all ${newest(false)}) mails
    order by is_unread desc, received_at desc, id desc offset ${offset} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The next unread one: the nearest older, or where there is none the newest; null when all is read. */
export async function findNextUnread(db: Database, userId: string, after: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select m.id from inbox_messages m left join inbox_messages seen on seen.id = ${after} and seen.user_id = m.user_id
    where ${inInbox(userId)} and m.opened_at is null and m.id <> ${after}
    order by coalesce((m.received_at, m.id) < (seen.received_at, seen.id), false) desc, m.received_at desc, m.id desc
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Whom an answer to a mail would go to; null where that is nobody. */
export async function findAnswersTo(db: Database, userId: string, mailId: string): Promise<string | null> {
  const row = await db
    .selectFrom('inbox_messages')
    .select('answers_to')
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .executeTakeFirst()
  return row?.answers_to || null
}
