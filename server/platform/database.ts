import { setTimeout } from 'node:timers/promises'
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from '../migrations/tables.ts'
import type { DatabaseLines } from './database-lines.ts'
import { codeOf, unreachable } from './database-troubles.ts'
import { StartError } from './errors.ts'
import type { Log } from './log.ts'

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

const OLDEST_POSTGRES = 14
const POOL_SIZE = 10
/** For a place in the pool when many come at once; that the database itself is away is noticed much sooner. */
const CONNECT_TIMEOUT_MS = 10_000
/** A backstop against a connection that went silent; no query behind a request takes this long. */
const QUERY_TIMEOUT_MS = 15_000
/** A process that is frozen in the middle of a transaction would else hold its locks until it wakes up. */
export const FROZEN_MS = 5_000

type OpenOptions = {
  lines?: DatabaseLines
  /** For work that may take as long as it takes. */
  isPatient?: boolean
  /** The most connections at once. */
  size?: number
}

export const NO_LIMITS =
  'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0'

export function openDatabase(
  url: string,
  log: Log,
  { lines, isPatient = false, size = POOL_SIZE }: OpenOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    ...(lines ? { stream: lines.socket } : {}),
    application_name: 'postrider',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(isPatient ? { onConnect: liftLimits } : { query_timeout: QUERY_TIMEOUT_MS, onConnect: guardLocks }),
    keepAlive: true,
  })
  // A connection that breaks is replaced at the next query, and whoever was using it gets an error of its own. Without
  // a listener, both in the pool and on each connection in use, the break would end the process.
  pool.on('error', (error) => log.debug({ err: error }, 'an idle database connection broke'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/** Said once it is connected: a pooler such as PgBouncer refuses connections that are asked for with such settings. */
async function guardLocks(client: pg.ClientBase): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${FROZEN_MS}`)
}

/** Whatever limits the operator has given the role: a restore or a migration that was cut short would be so each time. */
async function liftLimits(client: pg.ClientBase): Promise<void> {
  await client.query(NO_LIMITS)
}

const pools = new WeakMap<Database, pg.Pool>()

/**
 * A statement that runs hundreds of times a second: each connection parses and plans it once, which costs more than
 * running it.
 */
export async function prepared<Row extends pg.QueryResultRow>(
  db: Database,
  statement: { name: string; text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await poolOf(db).query<Row>({ ...statement, values: [...values] })
  return rows
}

export function poolOf(db: Database): pg.Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('this database was not opened by openDatabase')
  return pool
}

type Line = {
  query: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>
  release: () => void
}

/** All that is asked goes over this one connection. */
export const overOne = (line: Line): Database =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({
      // Kysely asks for more than it uses here: cursors, and a second connection for cancelling.
      pool: { connect: async () => line, end: async () => {} } as unknown as pg.Pool,
    }),
  })

/**
 * Looks at every connection that is made from now on, before anything else is asked over it. Where that throws, there is
 * no connection, and whoever waited for it is told why.
 */
export function vetConnections(db: Database, vet: (line: Database) => Promise<unknown>): void {
  const { options } = poolOf(db)
  const { onConnect } = options
  options.onConnect = async (client) => {
    await onConnect?.(client)
    await vet(overOne({ query: (text, values) => client.query(text, [...values]), release: () => {} }))
  }
}

/** Says in one sentence why a database cannot serve, before anything is built on it. */
export async function checkDatabase(db: Database): Promise<void> {
  const version = await serverVersion(db)
  if (Math.trunc(version / 10_000) < OLDEST_POSTGRES)
    throw new StartError(
      `DATABASE_URL leads to PostgreSQL ${Math.trunc(version / 10_000)}; Postrider needs ${OLDEST_POSTGRES} or newer`,
    )
}

/** What PostgreSQL says itself while it cannot serve yet. */
export const STARTING_UP = '57P03'
const STARTING_UP_MS = 30_000

/** While a process starts it serves nobody, so that a failure which passes is waited for. */
export async function patiently<T>(
  work: () => Promise<T>,
  passes: (error: unknown) => boolean = isDatabaseAway,
): Promise<T> {
  const deadline = performance.now() + STARTING_UP_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!passes(error) || performance.now() > deadline) throw error
      await setTimeout(500)
    }
  }
}

async function serverVersion(db: Database): Promise<number> {
  const version = sql<{ version: number }>`select current_setting('server_version_num')::int as version`
  try {
    // It may be starting as well, as after a reboot of both; one that is not there may be another than was meant.
    const { rows } = await patiently(
      () => version.execute(db),
      (error) => codeOf(error) === STARTING_UP,
    )
    return rows[0]?.version ?? 0
  } catch (error) {
    throw unreachable(error)
  }
}

export async function isAlive(db: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}

const AWAY_CODES = new Set([
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/

/** Is this a failure of the way to the database, rather than of the query? Then trying again later helps. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Class 08: connection exception; 57P0x: shut down, crash recovery, starting up; 53: out of disk or connections;
  // 25P03: cut off for having been frozen.
  return (
    AWAY_CODES.has(code) ||
    /^(08...|57P0.|53...|25P03)$/.test(code) ||
    AWAY_MESSAGES.test(String(error.message))
  )
}
