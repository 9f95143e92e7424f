import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { CompiledQuery, sql } from 'kysely'
import { type Database, openDatabase, patiently, type Transaction } from './database.ts'
import { explainedCreation } from './database-troubles.ts'
import { StartError } from './errors.ts'
import type { Log } from './log.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
/** Any fixed number: all processes that migrate one database meet at this lock. */
export const MIGRATION_LOCK = 7_041_776

export type Migration = { name: string; text: string; checksum: string }

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the schema forward, never back. All of it is one transaction under one lock: of several processes that start
 * together one does the work, the others find it done, and a crash in the middle leaves the old schema whole.
 */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  // Building an index, or waiting for another process that builds one, takes as long as it takes.
  const db = openDatabase(databaseUrl, log, { isPatient: true })
  try {
    // Without the lock: a backup holds it for as long as it takes.
    if (await patiently(() => isMigrated(db))) return
    const migrations = await readMigrations()
    await patiently(() =>
      db.transaction().execute(async (tx) => {
        if (!(await isLockFree(tx))) log.info(WAITING)
        await applyMigrations(tx, migrations)
      }),
    )
  } catch (error) {
    throw explainedCreation(error)
  } finally {
    await db.destroy()
  }
}

const WAITING =
  'the tables have to be brought forward, and wait until a backup is made or another process has done it'

async function isLockFree(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isFree"`.execute(tx)
  return rows[0]?.isFree ?? false
}

/** Those of them that are missing, in order, under the lock. */
export async function applyMigrations(tx: Transaction, migrations: readonly Migration[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
  await sql`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(tx)
  const applied = await tx.selectFrom('schema_migrations').select(['name', 'checksum']).execute()
  const done = new Map(applied.map((row) => [row.name, row.checksum]))
  refuseForeignHistory(migrations, done)
  for (const migration of migrations) {
    if (done.has(migration.name)) continue
    await tx.executeQuery(CompiledQuery.raw(migration.text))
    await tx
      .insertInto('schema_migrations')
      .values({ name: migration.name, checksum: migration.checksum })
      .execute()
  }
}

/** Is the schema that of this very version? */
export async function isMigrated(db: Database): Promise<boolean> {
  const applied = await appliedMigrations(db)
  const ours = await readMigrations()
  return applied.size === ours.length && ours.every(({ name, checksum }) => applied.get(name) === checksum)
}

/** The name of each and its checksum; none where nobody has ever migrated. */
export async function appliedMigrations(db: Database): Promise<Map<string, string>> {
  const table = await sql<{ isThere: boolean }>`
    select to_regclass('schema_migrations') is not null as "isThere"`.execute(db)
  if (!table.rows[0]?.isThere) return new Map()
  const applied = await db.selectFrom('schema_migrations').select(['name', 'checksum']).execute()
  return new Map(applied.map(({ name, checksum }) => [name, checksum]))
}

export function refuseForeignHistory(migrations: readonly Migration[], done: Map<string, string>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  for (const [name, checksum] of done) {
    const ours = known.get(name)
    if (ours === undefined)
      throw new StartError(
        `The database was migrated by a newer Postrider (${name}); start that version, or restore a backup`,
      )
    if (ours !== checksum)
      throw new StartError(
        `The migration ${name} differs from the one this database was made with; restore the file`,
      )
  }
}
