import { sql } from 'kysely'
import { type Database, STARTING_UP, type Transaction } from './database.ts'

/**
 * Recognises a database that was restored from a backup, by where it lives: another cluster, another database, tables
 * that were made anew, a history that branched off, or other files than those it was in. It knows what was under way
 * when the backup was made, but not what was sent since; so `whenRestored` holds everything back, in the transaction that
 * gives the copy its own identity: it happens once, whatever dies meanwhile.
 *
 * All but the files lies inside them, and goes along with a copy of the folder. `filesMark` does not, and is null where
 * the files are not ours to look at.
 */
export async function noticeRestore(
  db: Database,
  filesMark: string | null,
  whenRestored: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  const timeline = await timelineOf(db)
  return db.transaction().execute(async (tx) => {
    const place = await placeOf(tx, timeline)
    const identity = filesMark === null ? place : `${place}/${filesMark}`
    const { numAffectedRows } =
      await sql`insert into installation (identity) values (${identity}) on conflict do nothing`.execute(tx)
    if (numAffectedRows === 1n) return false
    const known = await tx.selectFrom('installation').select('identity').forUpdate().executeTakeFirstOrThrow()
    if (known.identity === identity) return false
    // Who cannot see the files takes them for the same, and leaves the mark of those who can.
    if (filesMark === null && known.identity.startsWith(`${place}/`)) return false
    await tx.updateTable('installation').set({ identity }).execute()
    // The mark was not kept from the beginning, nor told by every kernel: the first one is taken as it is.
    if (known.identity === place) return false
    await whenRestored(tx)
    return true
  })
}

/**
 * Whether the database is still where it was when that was last noted, but for the files, which nobody changes under one
 * that is open. Throws, as if it were away, while it follows another one: a connection made then outlives its promotion.
 */
export async function isWhereItWas(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isStandby: boolean }>`select pg_is_in_recovery() as "isStandby"`.execute(db)
  if (rows[0]?.isStandby) throw Object.assign(new Error('the database is a standby'), { code: STARTING_UP })
  const place = await placeOf(db, await timelineOf(db))
  const known = await db.selectFrom('installation').select('identity').executeTakeFirst()
  return known?.identity === place || known?.identity.startsWith(`${place}/`) === true
}

async function placeOf(db: Database | Transaction, timeline: number): Promise<string> {
  const { rows } = await sql<{ place: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()), ${timeline}::int,
      (select oid from pg_database where datname = current_database()), 'installation'::regclass::oid) as place`.execute(
    db,
  )
  return rows[0]?.place ?? ''
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
