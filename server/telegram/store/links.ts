import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { knownZone } from '../time-zones.ts'

type Account = { id: string; firstName: string; username: string | null }

export type Alerts = { finished: boolean; paused: boolean; bounces: boolean; replies: boolean }

/** Minutes after midnight. */
export type QuietHours = { from: number; until: number }

/** Whom a chat belongs to, as of the moment that it was read. */
export type Person = {
  linkId: string
  userId: string
  email: string
  /** Of the person, and of the private chat with them. */
  telegramUserId: string
  firstName: string
  username: string | null
  isBlocked: boolean
  alerts: Alerts
  timeZone: string
  quietHours: QuietHours | null
}

export async function listLinks(db: Database, userId: string) {
  return db
    .selectFrom('telegram_links')
    .select([
      'id',
      'telegram_user_id as telegramUserId',
      'first_name as telegramFirstName',
      'username as telegramUsername',
      'linked_at as linkedAt',
      sql<boolean>`blocked_at is not null`.as('isBlocked'),
    ])
    .where('user_id', '=', userId)
    .execute()
}

const person = sql`
  l.id as "linkId", l.user_id as "userId", u.email, l.telegram_user_id as "telegramUserId",
  l.first_name as "firstName", l.username, l.blocked_at is not null as "isBlocked",
  json_build_object('finished', l.tells_finished, 'paused', l.tells_paused, 'bounces', l.tells_bounces,
    'replies', l.tells_replies) as alerts,
  l.time_zone as "timeZone",
  case when l.quiet_from is not null then json_build_object('from', l.quiet_from, 'until', l.quiet_until) end
    as "quietHours"`

export async function findPerson(db: Database, telegramUserId: string): Promise<Person | null> {
  const { rows } = await sql<Person>`
    select ${person} from telegram_links l join users u on u.id = l.user_id
    where l.telegram_user_id = ${telegramUserId}`.execute(db)
  return asKnown(rows[0])
}

/** For what is told without being asked. */
export async function findPersonOfLink(db: Database, linkId: string): Promise<Person | null> {
  const { rows } = await sql<Person>`
    select ${person} from telegram_links l join users u on u.id = l.user_id where l.id = ${linkId}`.execute(
    db,
  )
  return asKnown(rows[0])
}

const asKnown = (row: Person | undefined): Person | null =>
  row ? { ...row, timeZone: knownZone(row.timeZone) } : null

export async function keepCode(
  db: Database,
  code: { userId: string; codeHash: Buffer; timeZone: string; minutes: number },
): Promise<Date> {
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into telegram_codes (user_id, code_hash, time_zone, expires_at)
    values (${code.userId}, ${code.codeHash}, ${code.timeZone}, now() + ${code.minutes} * interval '1 minute')
    on conflict (user_id) do update set
      code_hash = excluded.code_hash, time_zone = excluded.time_zone, expires_at = excluded.expires_at
    returning expires_at as "expiresAt"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the code was not kept')
  return row.expiresAt
}

export async function dropCode(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('telegram_codes').where('user_id', '=', userId).execute()
}

type Used =
  | { outcome: 'linked'; email: string; userId: string }
  | { outcome: 'account-taken'; email: string }
  | { outcome: 'unknown-code' }

/** Whoever deletes the code has it: of several at the same moment one. A link that cannot be made leaves the code. */
export async function redeemCode(db: Database, codeHash: Buffer, account: Account): Promise<Used> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ userId: string; email: string; timeZone: string; isLinked: boolean }>`
      select c.user_id as "userId", u.email, c.time_zone as "timeZone",
        exists (select from telegram_links l where l.user_id = c.user_id) as "isLinked"
      from telegram_codes c join users u on u.id = c.user_id
      where c.code_hash = ${codeHash} and c.expires_at > now() for update of c`.execute(tx)
    const [code] = rows
    if (!code) return { outcome: 'unknown-code' }
    const { userId, email } = code
    if (code.isLinked) return { outcome: 'account-taken', email }
    await tx.deleteFrom('telegram_codes').where('user_id', '=', userId).execute()
    await tx
      .insertInto('telegram_links')
      .values({
        user_id: userId,
        telegram_user_id: account.id,
        first_name: account.firstName,
        username: account.username,
        time_zone: code.timeZone,
      })
      .execute()
    return { outcome: 'linked', email, userId }
  })
}

/** What hangs on the link goes with it. */
export async function deleteLink(db: Database, userId: string, telegramUserId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('telegram_links')
    .where('user_id', '=', userId)
    .where('telegram_user_id', '=', telegramUserId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function renameLink(db: Database, linkId: string, account: Account): Promise<void> {
  await db
    .updateTable('telegram_links')
    .set({ first_name: account.firstName, username: account.username, blocked_at: null })
    .where('id', '=', linkId)
    .execute()
}

/** Answers whose link it is, if something has changed. */
export async function setBlocked(
  db: Database,
  telegramUserId: string,
  isBlocked: boolean,
): Promise<string | null> {
  const row = await db
    .updateTable('telegram_links')
    .set({ blocked_at: isBlocked ? sql<Date>`now()` : null })
    .where('telegram_user_id', '=', telegramUserId)
    .where('blocked_at', isBlocked ? 'is' : 'is not', null)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? null
}
