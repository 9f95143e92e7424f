import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

/**
 * A copy does not know what the original has done since. It gets an identity that no database has, even where the backup
 * holds none, so that the first process that starts on it notices and holds everything back (platform/installation.ts).
 */
export async function markRestored(tx: Transaction): Promise<void> {
  await sql`
    insert into installation (identity) values ('restored')
    on conflict (only_row) do update set identity = excluded.identity`.execute(tx)
}
