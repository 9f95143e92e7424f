import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'

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

/** What was said to the bot may have been done already, as far as a restored copy knows: it is not done once more. */
export async function dropUnheard(tx: Transaction): Promise<void> {
  await tx
    .updateTable('telegram_updates')
    .set({ handled_at: sql<Date>`now()`, content: '{}' })
    .where('handled_at', 'is', null)
    .execute()
}

/** Beside an original, which tells what was to be told. */
export async function leaveToldToOriginal(tx: Transaction): Promise<void> {
  const now = sql<Date>`now()`
  await tx.updateTable('telegram_alerts').set({ told_at: now }).where('told_at', 'is', null).execute()
  await tx.updateTable('telegram_cards').set({ is_live: false }).where('is_live', '=', true).execute()
}
