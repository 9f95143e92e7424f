import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { PostgresStartError } from './explain.ts'
import { type Endpoint, type Places, socketEndpoint, socketFile } from './places.ts'
import { isAlive, isPostmasterOf, orphanedBackends } from './processes.ts'
import { runToEnd } from './run.ts'

/** What postmaster.pid says. Its lines come one after another, and a power cut can leave it empty: then pid is 0. */
type PidFile = { pid: number; endpoint: Endpoint | null; status: string }

const pidFilePath = (places: Places): string => join(places.data, 'postmaster.pid')

export async function readPidFile(places: Places): Promise<PidFile | null> {
  const text = await readFile(pidFilePath(places), 'utf8').catch(() => null)
  if (text === null) return null
  const [pid = '', , , port = '', socketDir = '', address = '', , status = ''] = text.split('\n')
  const host = socketDir || (address === '*' ? '127.0.0.1' : address)
  return {
    pid: Number(pid) || 0,
    endpoint: host && Number(port) > 0 ? { host, port: Number(port) } : null,
    status: status.trim(),
  }
}

/**
 * The number of the postmaster that serves this database, whoever started it; null when there is none. The number in
 * the file is not enough: after a crash it may belong to any other program.
 */
export async function findPostmaster(places: Places): Promise<PidFile | null> {
  const file = await readPidFile(places)
  return file && file.pid > 0 && (await isPostmasterOf(places, file.pid)) ? file : null
}

const ORPHAN_GRACE_MS = 1_000
const ORPHAN_LIMIT_MS = 5_000

/**
 * Removes what a killed postmaster leaves: PostgreSQL itself would refuse to start while the number in its lock files
 * belongs to some process, or while a backend of the dead one is attached to the shared memory. Call it only when
 * `findPostmaster` found none.
 */
export async function clearRemains(places: Places): Promise<void> {
  await endOrphans(places)
  await rm(pidFilePath(places), { force: true })
  const socket = socketEndpoint(places)
  if (!socket) return
  await rm(socketFile(socket), { force: true })
  await rm(`${socketFile(socket)}.lock`, { force: true })
}

/** Backends notice the death of their postmaster and leave; one that is deep in a query may not, and is ended. */
async function endOrphans(places: Places): Promise<void> {
  const start = Date.now()
  for (let left = await orphanedBackends(places); left.length > 0; left = await orphanedBackends(places)) {
    const waited = Date.now() - start
    // PostgreSQL's own check of the shared memory then has the last word.
    if (waited > ORPHAN_LIMIT_MS) return
    if (waited > ORPHAN_GRACE_MS) for (const pid of left) signal(pid, 'SIGKILL')
    await sleep(20)
  }
}

const STOP_LIMIT_MS = 60_000

/** A fast shutdown: open transactions are rolled back, everything is written, the next start needs no recovery. */
export async function stopPostmaster(places: Places, binaries: Binaries): Promise<void> {
  const running = await findPostmaster(places)
  if (!running) return
  if (process.platform === 'win32') {
    await runToEnd(
      { file: binaries.pgCtl, args: ['stop', '-D', places.data, '-m', 'fast', '-w'] },
      places.root,
    )
    return
  }
  // What `pg_ctl stop -m fast` does, without its steps of a tenth of a second and its refusal to run as root.
  signal(running.pid, 'SIGINT')
  if (await isGone(running.pid, STOP_LIMIT_MS)) return
  // It answers to an immediate shutdown in any state; the next start recovers from the log.
  signal(running.pid, 'SIGQUIT')
  if (await isGone(running.pid, STOP_LIMIT_MS)) return
  throw new PostgresStartError(
    `PostgreSQL (process ${running.pid}) in DATA_DIR ${places.shown} does not stop.`,
  )
}

export async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  for (let pause = 2; await isAlive(pid); pause = Math.min(pause * 2, 20)) {
    if (Date.now() > deadline) return false
    await sleep(pause)
  }
  return true
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended in the meantime, which is what the signal is for.
  }
}
