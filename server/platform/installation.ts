import { type RawBuilder, sql } from 'kysely'
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
    // What was begun in an earlier copy is known by its number (delivery/doubt.ts).
    await tx
      .updateTable('installation')
      .set(({ eb }) => ({ copy_number: eb('copy_number', '+', 1) }))
      .execute()
    await whenRestored(tx)
    return true
  })
}

/**
 * Whether the database is still where it was when that was last noted, but for the files, which nobody changes under one
 * that is open. Throws, as if it were away, while it follows another one: a connection made then outlives its promotion.
 * One question, since it is asked over every connection that is made.
 */
export async function isWhereItWas(db: Database): Promise<boolean> {
  const { rows } = await byTimeline((timeline) =>
    sql<{ isStandby: boolean; place: string | null; known: string | null }>`
      select pg_is_in_recovery() as "isStandby", (select identity from installation) as known,
        case when not pg_is_in_recovery() then ${placeBy(timeline)} end as place`.execute(db),
  )
  const { isStandby = false, place = null, known = null } = rows[0] ?? {}
  if (isStandby) throw Object.assign(new Error('the database is a standby'), { code: STARTING_UP })
  return known === place || known?.startsWith(`${place}/`) === true
}

async function placeOf(tx: Transaction, timeline: number): Promise<string> {
  const { rows } = await sql<{ place: string }>`select ${placeBy(sql`${timeline}::int`)} as place`.execute(tx)
  return rows[0]?.place ?? ''
}

const placeBy = (timeline: RawBuilder<unknown>): RawBuilder<string> =>
  sql`concat_ws('/', (select system_identifier from pg_control_system()), ${timeline},
    (select oid from pg_database where datname = current_database()), 'installation'::regclass::oid)`

async function timelineOf(db: Database): Promise<number> {
  const { rows } = await byTimeline((timeline) =>
    sql<{ timeline: number }>`select ${timeline} as timeline`.execute(db),
  )
  return rows[0]?.timeline ?? 0
}

const WRITTEN = sql`('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`
const CHECKPOINT = sql`(select timeline_id from pg_control_checkpoint())`
/** For good: then it is asked in vain once, and not over every connection. */
let isLogClosed = false

/**
 * By where the log is written: of a standby that was promoted the last checkpoint says for minutes what it was. Where
 * the log is closed to us, as in Amazon Aurora, there is only the checkpoint to ask.
 */
async function byTimeline<T>(ask: (timeline: RawBuilder<unknown>) => Promise<T>): Promise<T> {
  if (isLogClosed) return ask(CHECKPOINT)
  return ask(WRITTEN).catch((error: unknown) => {
    if (!isClosed(error)) throw error
    isLogClosed = !hasCode(error, [NOT_IN_THIS_STATE])
    return ask(CHECKPOINT)
  })
}

const NOT_IN_THIS_STATE = '55000'

/** Not in this state of the server, not supported by it, or not for this role. */
const isClosed = (error: unknown): boolean => hasCode(error, [NOT_IN_THIS_STATE, '0A000', '42501'])

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
