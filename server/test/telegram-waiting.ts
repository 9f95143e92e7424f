import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'

/** Somebody has pressed a button, is to be told of a pause, and follows the campaign. */
export async function somethingSaidToTheBot(db: Database, { userId, id }: { userId: string; id: string }) {
  const { id: link_id } = await db
    .insertInto('telegram_links')
    .values({ user_id: userId, telegram_user_id: '4711' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('telegram_updates')
    .values({ bot_id: '1', update_id: '7', telegram_user_id: '4711', content: '{"update_id":7}' })
    .execute()
  await db
    .insertInto('telegram_alerts')
    .values({ link_id, kind: 'paused', about: id, occasion: '1' })
    .execute()
  await db
    .insertInto('telegram_cards')
    .values({ link_id, message_id: '1', campaign_id: id, is_live: true })
    .execute()
}

/** How much of it is still to be done, told and followed. */
export async function waitingForTheBot(db: Database) {
  const { rows } = await sql`
    select (select count(*) from telegram_updates where handled_at is null) as updates,
      (select count(*) from telegram_alerts where told_at is null) as alerts,
      (select count(*) from telegram_cards where is_live) as cards`.execute(db)
  return rows[0]
}
