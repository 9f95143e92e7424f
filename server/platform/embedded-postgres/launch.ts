import { type ChildProcess, spawn } from 'node:child_process'
import { open, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunAs } from './as-user.ts'
import type { Binaries } from './binaries.ts'
import { explainFileError, explainOutput } from './explain.ts'
import { type Endpoint, isSocket, type Places, socketEndpoint } from './places.ts'
import { readPidFile } from './postmaster.ts'
import { CLEAN_ENV } from './run.ts'

const LOG_LIMIT_BYTES = 10 * 1024 * 1024
const PORT_TRIES = 5
const SAY_AFTER_MS = 3_000

export type LaunchNeeds = {
  places: Places
  binaries: Binaries
  runAs: RunAs
  settings: Readonly<Record<string, string>>
  log: (line: string) => void
  warn: (line: string) => void
  /** Where it has to listen because others already hold its URL; null to choose. */
  endpoint: Endpoint | null
}

/** Starts the postmaster and waits until it takes connections, however long recovery after a crash may last. */
export async function launch(
  needs: LaunchNeeds,
  findPort: () => Promise<number> = freePort,
): Promise<Endpoint> {
  const { places } = needs
  for (let tries = 1; ; tries++) {
    const endpoint = needs.endpoint ?? socketEndpoint(places) ?? { host: '127.0.0.1', port: await findPort() }
    const failure = await launchAt(endpoint, needs)
    if (failure === null) return endpoint
    // Between finding a free port and using it, another program may have taken it.
    const stolen = !isSocket(endpoint) && /could not bind|Address already in use/.test(failure)
    if (!stolen || needs.endpoint || tries === PORT_TRIES)
      throw explainOutput(failure, places.shown, places.log)
  }
}

/** Null when it is ready, otherwise what it printed before it ended. */
async function launchAt(endpoint: Endpoint, needs: LaunchNeeds): Promise<string | null> {
  const { places, warn } = needs
  const logStart = await rotateLog(places)
  const child = await spawnPostmaster(endpoint, needs)
  let failedToRun = ''
  child.once('error', (error) => {
    failedToRun = error.message
  })
  const start = Date.now()
  let said = false
  for (let pause = 2; ; pause = Math.min(pause * 1.5, 50)) {
    if (failedToRun) return failedToRun
    if (child.exitCode !== null || child.signalCode !== null) return logSince(places, logStart)
    const file = await readPidFile(places)
    if (file && file.pid === child.pid && file.status === 'ready') return null
    if (!said && Date.now() - start > SAY_AFTER_MS) {
      said = true
      warn('PostgreSQL is still starting: after a crash it first repeats what was not yet written…')
    }
    await sleep(pause)
  }
}

async function spawnPostmaster(
  endpoint: Endpoint,
  { places, binaries, runAs, settings }: LaunchNeeds,
): Promise<ChildProcess> {
  const ours: Record<string, string> = {
    cluster_name: places.clusterName,
    port: String(endpoint.port),
    listen_addresses: isSocket(endpoint) ? '' : endpoint.host,
    // It is a list; quoted, a folder may have a comma in its name.
    unix_socket_directories: isSocket(endpoint) ? `"${endpoint.host.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
  }
  const options = Object.entries({ ...settings, ...ours }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const { file, args, ...ids } = runAs.command(binaries.postgres, ['-D', places.data, ...options])
  const log = await open(places.log, 'a', 0o600).catch((error: unknown) => {
    throw explainFileError(error, places.shown)
  })
  try {
    // A session of its own: Ctrl-C in the terminal reaches every process of ours, and the database has to outlive the
    // application that still writes its last results. Nor does it die with us: the next start adopts it.
    const child = spawn(file, args, {
      ...ids,
      cwd: '/',
      env: CLEAN_ENV,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

/** Keeps one old log beside the current one; answers where the current one ends. */
async function rotateLog(places: Places): Promise<number> {
  const size = await stat(places.log).then(
    (file) => file.size,
    () => 0,
  )
  if (size <= LOG_LIMIT_BYTES) return size
  await rename(places.log, `${places.log}.1`)
  return 0
}

async function logSince(places: Places, position: number): Promise<string> {
  const file = await open(places.log, 'r')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.max(size - position, 0)),
      position,
    })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port was given')),
      )
    })
  })
