import { createHash } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { explainFileError } from './explain.ts'

/** Where everything of one embedded database lies. Only `home` belongs to PostgreSQL; the rest is ours. */
export type Places = {
  /** DATA_DIR as a person would type it, for sentences. */
  shown: string
  /** DATA_DIR with symbolic links resolved, so that two spellings of one folder are one database. */
  root: string
  /** Made complete elsewhere and renamed to this name: where it exists, the database is whole. */
  home: string
  data: string
  password: string
  log: string
  lock: string
  /** Names this database in the command line of its postmaster and in the titles of its backends. */
  clusterName: string
}

/** Where PostgreSQL listens: a folder with a Unix socket in it, or an address. */
export type Endpoint = { host: string; port: number }

export const SCRATCH_PREFIX = 'postgres.new-'
const SOCKET_PORT = 5432
// The kernel takes 104 to 108 bytes, by system; PostgreSQL adds a suffix for the lock file beside the socket.
const SOCKET_PATH_LIMIT = 100

export async function preparePlaces(dir: string): Promise<Places> {
  const shown = showDir(dir)
  const root = await mkdir(dir, { recursive: true, mode: 0o700 })
    .then(() => realpath(dir))
    .catch((error: unknown) => {
      throw explainFileError(error, shown)
    })
  const home = join(root, 'postgres')
  return {
    shown,
    root,
    home,
    data: join(home, 'data'),
    password: join(home, 'password'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'postgres.lock'),
    clusterName: `postrider-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  }
}

/** The socket in our own folder, or null where its path is too long for the kernel (or Windows has none for us). */
export function socketEndpoint(places: Places): Endpoint | null {
  if (process.platform === 'win32') return null
  const endpoint = { host: places.home, port: SOCKET_PORT }
  return Buffer.byteLength(socketFile(endpoint)) < SOCKET_PATH_LIMIT ? endpoint : null
}

export const isSocket = (endpoint: Endpoint): boolean => isAbsolute(endpoint.host)

export const socketFile = (endpoint: Endpoint): string => join(endpoint.host, `.s.PGSQL.${endpoint.port}`)

/** Understood by npm `pg` and by psql. TLS is off by name, since PGSSLMODE in the environment would turn it on. */
export function urlOf(endpoint: Endpoint, user: string, password: string, database: string): string {
  const address = isSocket(endpoint) ? `localhost:${endpoint.port}` : `${endpoint.host}:${endpoint.port}`
  const socket = isSocket(endpoint) ? `host=${encodeURIComponent(endpoint.host)}&` : ''
  return `postgres://${user}:${encodeURIComponent(password)}@${address}/${database}?${socket}sslmode=disable`
}

function showDir(dir: string): string {
  const path = relative(process.cwd(), dir)
  return path === '' || path.startsWith('..') || isAbsolute(path) ? dir : `./${path}`
}
