import { chooseUser } from './as-user.ts'
import { findBinaries } from './binaries.ts'
import { bringUp, DATABASE, NEIGHBOUR_MS } from './bring-up.ts'
import { readPassword, SUPERUSER } from './cluster.ts'
import { preparePlaces, urlOf } from './places.ts'
import { withStartLock } from './start-lock.ts'
import { supervise } from './supervise.ts'

export type EmbeddedPostgresOptions = {
  /** DATA_DIR: the database gets the folder `postgres` and the files `postgres.*` in it. */
  dir: string
  /** Extra settings of postgresql.conf, such as fsync=off for tests. */
  settings?: Readonly<Record<string, string>>
  log?: (line: string) => void
  /** For what an operator has to know of: it takes long, or does not come back, and why. */
  warn?: (line: string) => void
  /** For tests: false stands for a system that forbids user namespaces (only root needs them). */
  namespaces?: boolean
  /** For tests: how long a PostgreSQL is awaited that runs here and cannot be seen, as in the container next door. */
  neighbourMs?: number
  /** For tests: the name of the user that serves root where namespaces are forbidden. */
  helperUser?: string
}

export type EmbeddedPostgres = {
  /** For npm `pg`, password included; it stays the same as long as this process lives. */
  url: string
  /** Close your own connections first: this ends the rest, and waits until everything is written. */
  stop(): Promise<void>
}

/**
 * Postrider's own PostgreSQL in DATA_DIR: made on the first start, adopted when an earlier process left it running,
 * recovered after a crash, started again when it dies. Where it cannot be, it throws a StartError whose message is
 * for the operator; AlreadyRunningError when another process has it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dir, settings = {}, namespaces = process.platform === 'linux' } = options
  const { log = () => undefined, warn = () => undefined, neighbourMs = NEIGHBOUR_MS } = options
  const places = await preparePlaces(dir)
  const binaries = await findBinaries()
  return withStartLock(places, async () => {
    const runAs = await chooseUser(places, binaries, {
      namespaces,
      helperUser: options.helperUser ?? 'postrider',
    })
    const needs = { places, binaries, runAs, settings, log, warn, neighbourMs }
    const session = await bringUp(needs, null)
    const url = urlOf(session.endpoint, SUPERUSER, await readPassword(places), DATABASE)
    return { url, stop: supervise(needs, session) }
  })
}
