import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SUPERUSER } from './cluster.ts'
import { AlreadyRunningError } from './explain.ts'
import { type Endpoint, isSocket, type Places } from './places.ts'
import { birthOf, isAlive } from './processes.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** The database that always exists; Postrider's own can then be dropped and restored while this session lasts. */
const MAINTENANCE_DATABASE = 'postgres'
/** "post" and "ride" in ASCII: any number does, as long as it is always the same. */
const LOCK = [0x706f7374, 0x72696465] as const
const APPLICATION = /^postrider (\d+) (.*)$/
// A killed process's connection is closed by the kernel; its backend then needs a moment to see it and leave.
const DEAD_HOLDER_GRACE_MS = 5_000

export type Session = {
  client: pg.Client
  endpoint: Endpoint /** Settles when the connection is gone, for whatever reason. */
  ended: Promise<void>
}

export async function connect(endpoint: Endpoint, password: string): Promise<Session> {
  const client = new pg.Client({
    ...endpoint,
    user: SUPERUSER,
    password,
    database: MAINTENANCE_DATABASE,
    ssl: false,
    keepAlive: !isSocket(endpoint),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The holder's number for the sentence that a second start prints, and its birth, so that the number can be trusted.
    application_name: `postrider ${process.pid} ${shorten(await birthOf(process.pid))}`,
  })
  // Without a listener a connection that breaks would end the process; whoever needs to know awaits `ended`.
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  try {
    await client.connect()
    return { client, endpoint, ended }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/**
 * That only one Postrider runs on a database is decided here, by a lock that belongs to this connection: it ends with
 * our process, however that ends, and no file or process number has to be believed.
 */
export async function takeLock(client: pg.Client, places: Places): Promise<void> {
  const deadline = Date.now() + DEAD_HOLDER_GRACE_MS
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
      ...LOCK,
    ])
    if (rows[0]?.taken) return
    const holder = await lockHolder(client)
    if (holder && ((await isSameProcess(holder)) || Date.now() > deadline))
      throw new AlreadyRunningError(places.shown, holder.pid)
    if (Date.now() > deadline) throw new AlreadyRunningError(places.shown, null)
    await sleep(10)
  }
}

export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`)
}

type Holder = { pid: number; birth: string }

async function lockHolder(client: pg.Client): Promise<Holder | null> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [...LOCK],
  )
  const [, pid, birth] = rows[0]?.name.match(APPLICATION) ?? []
  return pid === undefined || birth === undefined ? null : { pid: Number(pid), birth }
}

const isSameProcess = async ({ pid, birth }: Holder): Promise<boolean> =>
  (await isAlive(pid)) && shorten(await birthOf(pid)) === birth

/** PostgreSQL cuts application names at 63 bytes and shows only printable ASCII; the end is what differs. */
const shorten = (birth: string): string => birth.slice(-40)
