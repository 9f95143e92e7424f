import { sql } from 'kysely'
import type { Database, Transaction } from './database.ts'

/**
 * Recognises a database that was restored from a backup, by where it lives: another cluster, another database, tables
 * that were made anew, or a history that branched off. It knows what was under way when the backup was made, but not
 * what was sent since; so `whenRestored` holds everything back, in the transaction that gives the copy its own
 * identity: it happens once, whatever dies meanwhile.
 */
export async function noticeRestore(
  db: Database,
  whenRestored: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const identity = await identityOf(tx)
    const { numAffectedRows } =
      await sql`insert into installation (identity) values (${identity}) on conflict do nothing`.execute(tx)
    if (numAffectedRows === 1n) return false
    const known = await tx.selectFrom('installation').select('identity').forUpdate().executeTakeFirstOrThrow()
    if (known.identity === identity) return false
    await tx.updateTable('installation').set({ identity }).execute()
    await whenRestored(tx)
    return true
  })
}

async function identityOf(tx: Transaction): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()),
      (select timeline_id from pg_control_checkpoint()),
      (select oid from pg_database where datname = current_database()), 'installation'::regclass::oid) as identity`.execute(
    tx,
  )
  return rows[0]?.identity ?? ''
}
