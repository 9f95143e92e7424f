import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** After so long without a sign nobody looks after the bot. */
const SILENT_SECONDS = 120

type KnownBot = { username: string; problem: string | null; isLookedAfter: boolean }

export async function findBot(db: Database, botId: string): Promise<KnownBot | null> {
  const row = await db
    .selectFrom('telegram_bots')
    .select([
      'username',
      'problem',
      sql<boolean>`seen_at > now() - ${SILENT_SECONDS} * interval '1 second'`.as('isLookedAfter'),
    ])
    .where('bot_id', '=', botId)
    .executeTakeFirst()
  return row ?? null
}

type Noted = {
  username?: string
  problem: string | null
  /** Where it has been introduced to this copy of the database. */
  copy?: number | null
}

export async function noteBot(
  db: Database,
  botId: string,
  { username, problem, copy = null }: Noted,
): Promise<void> {
  await sql`
    insert into telegram_bots (bot_id, username, problem, copy_number)
    values (${botId}, ${username ?? ''}, ${problem}, ${THIS_COPY})
    on conflict (bot_id) do update set
      username = coalesce(${username ?? null}, telegram_bots.username), problem = excluded.problem, seen_at = now(),
      copy_number = coalesce(${copy}, telegram_bots.copy_number)
  `.execute(db)
}

/** The number of this copy of the database, where the bot was introduced to another one; else null. */
export async function findNewCopy(db: Database, botId: string): Promise<number | null> {
  const { rows } = await sql<{ copy: number }>`
    select ${THIS_COPY} as copy from telegram_bots
    where bot_id = ${botId} and copy_number <> ${THIS_COPY}`.execute(db)
  return rows[0]?.copy ?? null
}

const THIS_COPY = sql.raw('coalesce((select copy_number from installation), 1)')

/**
 * Each bot counts its messages by itself: those of the bot that this installation had before stand for nothing any more,
 * or an answer to one of this bot would go to whoever wrote the mail that had its number before.
 */
export async function forgetOtherBots(db: Database, botId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('telegram_bots')
      .where('bot_id', '!=', botId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    await tx.deleteFrom('telegram_cards').execute()
    await tx.deleteFrom('telegram_dialogues').execute()
  })
}
