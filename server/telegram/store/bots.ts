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

export async function noteBot(
  db: Database,
  botId: string,
  { username, problem }: { username?: string; problem: string | null },
): Promise<void> {
  await sql`
    insert into telegram_bots (bot_id, username, problem) values (${botId}, ${username ?? ''}, ${problem})
    on conflict (bot_id) do update set
      username = coalesce(${username ?? null}, telegram_bots.username), problem = excluded.problem, seen_at = now()
  `.execute(db)
}

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
