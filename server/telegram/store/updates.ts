import { randomUUID } from 'node:crypto'
import type { Update } from 'grammy/types'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

export type StoredUpdate = { updateId: string; claim: string; attempts: number; content: Update }

/** Longer than the handling of one takes, with all its waiting: a file of addresses, behind others, some 150 s. */
const CLAIM_SECONDS = 180

export type Arrival = { updateId: number; telegramUserId: number; content: Update }

/** Those that are known already stay as they are. */
export async function keepUpdates(db: Database, botId: string, arrivals: readonly Arrival[]): Promise<void> {
  if (arrivals.length === 0) return
  const rows = arrivals.map(({ updateId, telegramUserId, content }) => ({
    bot_id: botId,
    update_id: String(updateId),
    telegram_user_id: String(telegramUserId),
    content: JSON.stringify(content, storable),
  }))
  await db
    .insertInto('telegram_updates')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** No text of PostgreSQL holds NUL or half a letter. As long as it was: Telegram counts where a command ends. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value

/**
 * The oldest of somebody of whom nothing is being done; strangers wait for those who are linked. Telegram may bring an
 * older one while a younger is in hand: it waits like all others of this person.
 */
export async function claimUpdate(db: Database, botId: string): Promise<StoredUpdate | null> {
  const claim = randomUUID()
  const waiting = sql`u.bot_id = ${botId} and u.handled_at is null`
  // From person to person: somebody may have written thousands of messages, of which only the first matters.
  const { rows } = await sql<Omit<StoredUpdate, 'claim'>>`
    update telegram_updates set
      claim = ${claim}, claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second', attempts = attempts + 1
    where bot_id = ${botId} and update_id = (
      with recursive people (id) as (
        select min(u.telegram_user_id) from telegram_updates u where ${waiting}
        union all
        select (select min(u.telegram_user_id) from telegram_updates u where ${waiting} and u.telegram_user_id > people.id)
        from people where people.id is not null),
      firsts as (
        select (select min(u.update_id) from telegram_updates u where ${waiting} and u.telegram_user_id = people.id) as id
        from people where people.id is not null)
      select u.update_id from firsts join telegram_updates u on u.update_id = firsts.id
      where ${waiting} and (u.claimed_until is null or u.claimed_until < now())
        and not exists (select from telegram_updates busy
          where busy.bot_id = u.bot_id and busy.telegram_user_id = u.telegram_user_id and busy.handled_at is null
            and busy.claim is not null and busy.claimed_until >= now())
      order by exists (select from telegram_links l where l.telegram_user_id = u.telegram_user_id) desc, u.update_id
      limit 1 for update of u skip locked)
    returning update_id as "updateId", attempts, content`.execute(db)
  const [row] = rows
  return row ? { ...row, claim } : null
}

type Claimed = Pick<StoredUpdate, 'updateId' | 'claim'>

/** Its content is of no use any more; its number is, against a repetition. */
export async function finishUpdate(db: Database, botId: string, { updateId, claim }: Claimed): Promise<void> {
  await db
    .updateTable('telegram_updates')
    .set({ handled_at: sql<Date>`now()`, content: '{}' })
    .where('bot_id', '=', botId)
    .where('update_id', '=', updateId)
    .where('claim', '=', claim)
    .execute()
}

export async function postponeUpdate(
  db: Database,
  botId: string,
  { updateId, claim }: Claimed,
  seconds: number,
  { isAttempt = true } = {},
): Promise<void> {
  await db
    .updateTable('telegram_updates')
    .set({
      claim: null,
      claimed_until: sql<Date>`now() + ${seconds}::float8 * interval '1 second'`,
      attempts: sql<number>`attempts - ${isAttempt ? 0 : 1}`,
    })
    .where('bot_id', '=', botId)
    .where('update_id', '=', updateId)
    .where('claim', '=', claim)
    .execute()
}

/**
 * Whether the same person has written more within so many seconds after this, and for how long we have had it. Whatever
 * came later waits for this one, so that all of it is still there to be looked at.
 */
export async function findFollowing(
  db: Database,
  botId: string,
  updateId: number,
  withinSeconds: number,
): Promise<{ isFollowed: boolean; ageMs: number } | null> {
  const date = (update: string) => sql`(${sql.ref(`${update}.content`)}->'message'->>'date')::bigint`
  const { rows } = await sql<{ isFollowed: boolean; ageMs: number }>`
    select (extract(epoch from now() - u.received_at) * 1000)::float8 as "ageMs", exists (
      select from telegram_updates later
      where later.bot_id = u.bot_id and later.telegram_user_id = u.telegram_user_id and later.handled_at is null
        and later.update_id > u.update_id and later.content->'message'->>'text' is not null
        and ${date('later')} < ${date('u')} + ${withinSeconds}::integer) as "isFollowed"
    from telegram_updates u where u.bot_id = ${botId} and u.update_id = ${updateId}`.execute(db)
  return rows[0] ?? null
}
