import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Config, loadConfig } from '../config.ts'
import { checkDatabase, type Database, openDatabase } from '../platform/database.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { reachEmbeddedPostgres } from '../platform/embedded-postgres/reach.ts'
import { StartError } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { appliedMigrations, readMigrations, refuseForeignHistory } from '../platform/migrate.ts'
import { BACKUP_LINE } from './snapshot.ts'

export type Installation = { config: Config; db: Database; databaseUrl: string }

type Needs = {
  /** Not beside a Postrider that runs. */
  isAlone?: boolean
  /** For what fills a new database. */
  mayBeEmpty?: boolean
  /** For what reads the tables as they are; everything else works on those of this very version. */
  mayBeEarlier?: boolean
}

/** The database of this installation, whether a Postrider runs on it or not; and left as it was found. */
export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  { isAlone = false, mayBeEmpty = false, mayBeEarlier = false }: Needs = {},
): Promise<T> {
  const config = loadConfig()
  const { dataDir } = config
  if (config.databaseUrl === null && !mayBeEmpty) await requireCluster(dataDir)
  const reach = () => (isAlone ? startEmbeddedPostgres({ dir: dataDir }) : reachEmbeddedPostgres(dataDir))
  const own = config.databaseUrl === null ? await reach() : null
  const databaseUrl = config.databaseUrl ?? own?.url ?? ''
  const db = openDatabase(databaseUrl, createLog('silent'), { isPatient: true })
  try {
    await checkDatabase(db)
    if (!mayBeEmpty) await requireTables(db, mayBeEarlier)
    if (isAlone) await refuseBesideRunning(db)
    return await work({ config, db, databaseUrl })
  } finally {
    await db.destroy()
    await own?.stop()
  }
}

const NO_TABLES =
  'There are no tables of Postrider in this database; start Postrider once, or set DATABASE_URL to the one you mean'

const EARLIER =
  'The tables of this database are those of an earlier version; make a backup, start Postrider once, which brings them forward, and try again'

async function requireTables(db: Database, mayBeEarlier: boolean): Promise<void> {
  const [applied, ours] = [await appliedMigrations(db), await readMigrations()]
  if (applied.size === 0) throw new StartError(NO_TABLES)
  refuseForeignHistory(ours, applied)
  if (applied.size < ours.length && !mayBeEarlier) throw new StartError(EARLIER)
}

/** To look something up must not make a new database where somebody mistook the folder. */
async function requireCluster(dataDir: string): Promise<void> {
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new StartError(
      `There is no database in ${dataDir}; start Postrider once, or set DATA_DIR or DATABASE_URL to the one you mean`,
    )
  })
}

/**
 * The embedded database tells by itself that somebody has it; of another one its connections do. A process has some that
 * say what they are for, and keeps at least that of its watch; a command such as this one has none but for a backup.
 */
async function refuseBesideRunning(db: Database): Promise<void> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name like 'postrider %'
      and application_name <> ${BACKUP_LINE}`.execute(db)
  if (rows[0]?.count !== '0')
    throw new StartError('A Postrider runs on this database; stop every one of its processes first')
}
