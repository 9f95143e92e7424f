import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../errors.ts'
import { ensureCluster, readPassword } from './cluster.ts'
import { AlreadyRunningError, codeOf, explainOutput, PostgresStartError } from './explain.ts'
import { type LaunchNeeds, launch } from './launch.ts'
import { type Endpoint, type Places, socketEndpoint } from './places.ts'
import { clearRemains, findPostmaster, readPidFile, stopPostmaster } from './postmaster.ts'
import { connect, ensureDatabase, type Session, takeLock } from './session.ts'

export const DATABASE = 'postrider'
const UNRESPONSIVE_LIMIT_MS = 15_000
/** As long as Postrider is given to stop: whoever replaces a container waits for the one before. */
export const NEIGHBOUR_MS = 30_000
const SAY_AFTER_MS = 3_000

export type Needs = Omit<LaunchNeeds, 'endpoint'> & {
  /** How long a PostgreSQL is awaited that runs here and whose process cannot be seen. */
  neighbourMs: number
}

/**
 * From whatever is there (nothing, a whole database, the rubble of a crash, a postmaster without its application) to a
 * connection that makes this process the only one. Call it under the start lock. The endpoint is given when others
 * already hold its URL.
 */
export async function bringUp(needs: Needs, endpoint: Endpoint | null): Promise<Session> {
  await ensureCluster({ ...needs, sync: needs.settings['fsync'] !== 'off' })
  const password = await readPassword(needs.places)
  const adopted = await adopt(needs, password)
  try {
    if (adopted) return await claim(needs.places, adopted)
    const launched = await launch({ ...needs, endpoint })
    return await claim(needs.places, await connect(launched, password))
  } catch (error) {
    // Nobody would look after a postmaster that we started and cannot use.
    if (!adopted) await stopPostmaster(needs.places, needs.binaries)
    throw explainRefusal(needs.places, error)
  }
}

/** Null when no postmaster serves this database; then nothing of an earlier one is in the way either. */
async function adopt({ places, log, warn, neighbourMs }: Needs, password: string): Promise<Session | null> {
  const start = Date.now()
  let silentSince = start
  let said = false
  for (;;) {
    if ((await readPidFile(places)) === null) return null
    const running = await findPostmaster(places)
    // A socket in our own folder is asked even when its process cannot be seen, as in the container next door.
    const endpoint = running ? running.endpoint : socketEndpoint(places)
    const answer = endpoint ? await ask(places, endpoint, password) : 'nobody'
    if (typeof answer !== 'string') {
      log(`Using the PostgreSQL that is already running${running ? ` (process ${running.pid})` : ''}`)
      return answer
    }
    if (!running && answer === 'nobody') {
      await clearRemains(places)
      return null
    }
    // Somebody listens there: a second PostgreSQL on the same files would destroy them.
    if (!running && Date.now() - start > neighbourMs) throw new AlreadyRunningError(places.shown, null)
    // While it recovers or shuts down there is only one thing to do: wait.
    if (running?.status !== 'ready') silentSince = Date.now()
    if (running && Date.now() - silentSince > UNRESPONSIVE_LIMIT_MS)
      throw new PostgresStartError(
        `PostgreSQL (process ${running.pid}) runs in DATA_DIR ${places.shown} but does not answer. Stop it with kill ${running.pid} and start again.`,
      )
    if (!said && Date.now() - start > SAY_AFTER_MS) {
      said = true
      warn(
        running
          ? `Waiting for PostgreSQL (process ${running.pid}), which is ${running.status || 'starting'}…`
          : `Waiting for the PostgreSQL that somebody else runs in ${places.shown}…`,
      )
    }
    await sleep(20)
  }
}

/** A socket that is not there, that nobody listens on, or that is none. */
const NOBODY_THERE = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']
const NOT_NOW = [
  '57P03' /* starting or shutting down */,
  '57P01' /* shut down */,
  '53300' /* no free connection */,
  ...['ECONNRESET', 'EPIPE'] /* it hung up: the next try tells whether it is gone */,
  'EAGAIN' /* too many wait for it to take their call */,
]

/** A connection, or whether it is nobody who does not give it or somebody who cannot at the moment. */
async function ask(
  places: Places,
  endpoint: Endpoint,
  password: string,
): Promise<Session | 'nobody' | 'not now'> {
  try {
    return await connect(endpoint, password)
  } catch (error) {
    if (NOBODY_THERE.includes(codeOf(error))) return 'nobody'
    // The driver's own words for a connection that timed out or was closed carry no code.
    if (NOT_NOW.includes(codeOf(error)) || /timeout|terminated/i.test(String(error))) return 'not now'
    throw explainRefusal(places, error)
  }
}

/** The database runs but does not take us: the password, or a disk that filled up since. */
function explainRefusal(places: Places, error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error
  if (codeOf(error) !== '28P01') return explainOutput(error.message, places.shown, places.log)
  return new PostgresStartError(
    `The password in DATA_DIR ${places.shown} is not that of its database. Put the file postgres/password back from where you keep it, and nothing else of the folder.`,
    { cause: error },
  )
}

/** Makes this process the only one; where it is not, the connection is closed again. */
async function claim(places: Places, session: Session): Promise<Session> {
  try {
    await takeLock(session.client, places)
    await ensureDatabase(session.client, DATABASE)
    return session
  } catch (error) {
    await session.client.end().catch(() => undefined)
    throw error
  }
}
