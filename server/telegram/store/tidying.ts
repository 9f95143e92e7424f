import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** Telegram itself forgets an update after a day, and may then begin again with any number. */
const UPDATES_HOURS = 48
/** Longer than anybody answers a message, or goes on with a letter. */
const KEPT_DAYS = 90

/** What nobody asks for any more. What was told stays: something late about an old campaign must not make it news again. */
export async function forgetOld(db: Database): Promise<void> {
  const ago = (days: number) => sql<Date>`now() - ${days} * interval '1 day'`
  await db
    .deleteFrom('telegram_updates')
    .where('received_at', '<', ago(UPDATES_HOURS / 24))
    .execute()
  await db.deleteFrom('telegram_codes').where('expires_at', '<', ago(1)).execute()
  await db
    .deleteFrom('telegram_cards')
    .where('is_live', '=', false)
    .where('created_at', '<', ago(KEPT_DAYS))
    .execute()
  await db
    .deleteFrom('telegram_letters')
    .where('campaign_id', 'is', null)
    .where('created_at', '<', ago(KEPT_DAYS))
    .execute()
}
