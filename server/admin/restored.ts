import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

/**
 * A copy does not know what the original has done since. It gets an identity that no database has, even where the backup
 * holds none, so that the first worker notices and holds every campaign back (platform/installation.ts). And what people
 * said to the bot, or were to be told by it, is over: the original has heard it and will tell it.
 */
export async function calm(tx: Transaction): Promise<void> {
  await sql`
    insert into installation (identity) values ('restored')
    on conflict (only_row) do update set identity = excluded.identity`.execute(tx)
  const now = sql<Date>`now()`
  await tx
    .updateTable('telegram_updates')
    .set({ handled_at: now, content: '{}' })
    .where('handled_at', 'is', null)
    .execute()
  await tx.updateTable('telegram_alerts').set({ told_at: now }).where('told_at', 'is', null).execute()
  await tx.updateTable('telegram_cards').set({ is_live: false }).where('is_live', '=', true).execute()
}
