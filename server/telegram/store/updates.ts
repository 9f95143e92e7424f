import { randomUUID } from 'node:crypto'
import type { Update } from 'grammy/types'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

export type StoredUpdate = { updateId: string; claim: string; attempts: number; content: Update }

/** Longer than the handling of one takes, with all its waiting. */
const CLAIM_SECONDS = 120

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

/** The oldest of somebody of whom nothing older is left to do; strangers wait for those who are linked. */
export async function claimUpdate(db: Database, botId: string): Promise<StoredUpdate | null> {
  const claim = randomUUID()
  const { rows } = await sql<Omit<StoredUpdate, 'claim'>>`
    update telegram_updates set
      claim = ${claim}, claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second', attempts = attempts + 1
    where bot_id = ${botId} and update_id = (
      select u.update_id from telegram_updates u
      where u.bot_id = ${botId} and u.handled_at is null and (u.claimed_until is null or u.claimed_until < now())
        and not exists (
          select from telegram_updates earlier
          where earlier.bot_id = u.bot_id and earlier.telegram_user_id = u.telegram_user_id
            and earlier.handled_at is null and earlier.update_id < u.update_id)
      order by exists (select from telegram_links l where l.telegram_user_id = u.telegram_user_id) desc, u.update_id
      limit 1 for update skip locked)
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
): Promise<void> {
  await db
    .updateTable('telegram_updates')
    .set({ claim: null, claimed_until: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('bot_id', '=', botId)
    .where('update_id', '=', updateId)
    .where('claim', '=', claim)
    .execute()
}
