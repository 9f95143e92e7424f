import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** This message of the bot stands for that mail; nothing where the mail is gone. */
export async function keepMailCard(
  db: Database,
  linkId: string,
  messageId: number,
  mailId: string,
): Promise<void> {
  await sql`
    insert into telegram_cards (link_id, message_id, inbox_message_id)
    select l.id, ${messageId}, m.id from inbox_messages m join telegram_links l on l.user_id = m.user_id
    where m.id = ${mailId} and l.id = ${linkId} for key share
    on conflict (link_id, message_id) do nothing`.execute(db)
}

export async function findMailOfCard(
  db: Database,
  linkId: string,
  messageId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('telegram_cards')
    .select('inbox_message_id')
    .where('link_id', '=', linkId)
    .where('message_id', '=', String(messageId))
    .executeTakeFirst()
  return row?.inbox_message_id ?? null
}
