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
  const timeline = await timelineOf(db)
  return db.transaction().execute(async (tx) => {
    const identity = await identityOf(tx, timeline)
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

async function identityOf(tx: Transaction, timeline: number): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()), ${timeline}::int,
      (select oid from pg_database where datname = current_database()), 'installation'::regclass::oid) as identity`.execute(
    tx,
  )
  return rows[0]?.identity ?? ''
}

/**
 * From where the log is written: of a standby that was promoted the last checkpoint says for minutes what it was. Where
 * the log is closed to us, as in Amazon Aurora, there is only the checkpoint to ask.
 */
async function timelineOf(db: Database): Promise<number> {
  const written = sql<{ timeline: number }>`
    select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`
  const checkpoint = sql<{ timeline: number }>`
    select timeline_id as timeline from pg_control_checkpoint()`
  const { rows } = await written.execute(db).catch((error: unknown) => {
    if (!isClosed(error)) throw error
    return checkpoint.execute(db)
  })
  return rows[0]?.timeline ?? 0
}

/** Not in this state of the server, not supported by it, or not for this role. */
const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['55000', '0A000', '42501'].includes(String(error.code))
