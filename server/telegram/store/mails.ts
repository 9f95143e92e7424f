import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

const inInbox = (userId: string) => sql`m.user_id = ${userId} and m.folder = 'i' and m.state <> 'w'`

/**
 * A mail's place in the inbox: unread mails first, each kind newest first. It stays where it was although the mail is read,
 * put away or deleted afterwards. The time in microseconds, which a JavaScript date cannot hold.
 */
export type MailPlace = { id: string; isUnread: boolean; position: string }

/** What comes after this place in the inbox of a user; null for its beginning. */
export const listMails = (
  db: Database,
  userId: string,
  after: MailPlace | null,
  limit: number,
): Promise<MailPlace[]> => walk(db, userId, after, { isBack: false, limit })

/** The place behind which the page begins that ends right before this one; null for the first page. */
export async function findPageBefore(
  db: Database,
  userId: string,
  place: MailPlace,
  size: number,
): Promise<MailPlace | null> {
  const newer = await walk(db, userId, place, { isBack: true, limit: size + 1 })
  return newer[size] ?? null
}

/** From a place on, or back from it; that place itself is left out. */
async function walk(
  db: Database,
  userId: string,
  from: MailPlace | null,
  { isBack, limit }: { isBack: boolean; limit: number },
): Promise<MailPlace[]> {
  const order = isBack ? sql`asc` : sql`desc`
  const beyond = (isUnread: boolean) => {
    if (from === null) return sql`true`
    // All of the other kind lies on one side of it.
    if (from.isUnread !== isUnread) return isUnread === isBack ? sql`true` : sql`false`
    return sql`(m.received_at, m.id) ${isBack ? sql`>` : sql`<`}
      (timestamptz 'epoch' + ${from.position}::bigint * interval '1 microsecond', ${from.id}::uuid)`
  }
  // Of each kind no more than are asked for: nobody sorts a whole inbox for five mails.
  const part = (isUnread: boolean) => sql`
    (select m.id, m.received_at, ${sql.lit(isUnread)} as is_unread from inbox_messages m
    where ${inInbox(userId)} and ${isUnread ? sql`m.opened_at is null` : sql`m.opened_at is not null`}
      and ${beyond(isUnread)}
    order by m.received_at ${order}, m.id ${order} limit ${limit})`
  const { rows } = await sql<MailPlace>`
    select id, is_unread as "isUnread", (extract(epoch from received_at) * 1000000)::bigint::text as position
    from (${part(true)} union all ${part(false)}) mails
    order by is_unread ${order}, received_at ${order}, id ${order} limit ${limit}`.execute(db)
  return rows
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
