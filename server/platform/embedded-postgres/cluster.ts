import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { giveTo, type RunAs } from './as-user.ts'
import type { Binaries } from './binaries.ts'
import { codeOf, explainFileError, explainOutput, PostgresStartError } from './explain.ts'
import { type Places, SCRATCH_PREFIX } from './places.ts'
import { runToEnd } from './run.ts'

export const SUPERUSER = 'postrider'
const DRAFT_MAX_AGE_MS = 60_000

// Written to postgresql.conf once, so that an operator may change them there.
const FIRST_SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements come back to us and can quote what users typed: the log gets only what befalls the server.
  // That also keeps it small, since nothing in it grows with use.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

type ClusterNeeds = {
  places: Places
  binaries: Binaries
  runAs: RunAs
  sync: boolean
  log: (line: string) => void
}

/** Makes the database on the first start, and on later ones checks that it is one that we can run. */
export async function ensureCluster(needs: ClusterNeeds): Promise<void> {
  const { places, runAs } = needs
  try {
    await removeLeftovers(places)
    if (await isAbsent(places.home)) await makeCluster(needs)
    await checkVersion(places, runAs.version)
    await giveTo(runAs, places.home)
    // PostgreSQL refuses a folder that others may read, as `chmod -R` or a careless copy leaves it.
    if (process.platform !== 'win32' && (await stat(places.data)).mode & 0o027)
      await chmod(places.data, 0o700)
  } catch (error) {
    throw explainFileError(error, places.shown)
  }
}

export async function readPassword(places: Places): Promise<string> {
  try {
    return (await readFile(places.password, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw explainFileError(error, places.shown)
    throw new PostgresStartError(
      `The file ${basename(places.home)}/password is missing in DATA_DIR ${places.shown}, and the database does not open without it. Put this one file back from where you keep it, and nothing else of the folder.`,
    )
  }
}

/** Everything is made in a scratch folder and renamed when it is whole: a start that dies half-way leaves nothing. */
async function makeCluster(needs: ClusterNeeds): Promise<void> {
  const { places, binaries, runAs, sync, log } = needs
  log(`Making the database in ${places.shown}…`)
  const scratch = await mkdtemp(join(places.root, SCRATCH_PREFIX))
  const password = join(scratch, basename(places.password))
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  await giveTo(runAs, scratch)
  const initdb = await runToEnd(
    runAs.command(binaries.initdb, [
      `--pgdata=${join(scratch, basename(places.data))}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order and the same upper and lower case everywhere, whatever locales the machine has.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...Object.entries(FIRST_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ...(sync ? [] : ['--no-sync']),
    ]),
    places.root,
  )
  if (!initdb.ok) {
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined)
    throw explainOutput(initdb.output, places.shown)
  }
  await rename(scratch, places.home)
  await syncFolder(places.root)
}

/** Scratch folders of starts that were killed, and drafts of their locks. */
async function removeLeftovers(places: Places): Promise<void> {
  for (const name of await readdir(places.root)) {
    const path = join(places.root, name)
    // A draft may belong to a start that is waiting at this moment, unless it is old.
    const isOldDraft =
      name.startsWith(`${basename(places.lock)}.`) &&
      Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs > DRAFT_MAX_AGE_MS
    // An initdb that outlived its parent may still write here; what it leaves goes at the next start.
    if (name.startsWith(SCRATCH_PREFIX) || isOldDraft)
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

/** An empty folder counts as absent: it is what a volume looks like that was just mounted. */
const isAbsent = (home: string): Promise<boolean> =>
  readdir(home).then(
    (names) => names.length === 0,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return true
      throw error
    },
  )

async function checkVersion(places: Places, ours: string): Promise<void> {
  const theirs = await readFile(join(places.data, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new PostgresStartError(
      `The folder ${basename(places.home)} in DATA_DIR ${places.shown} holds no database. Remove it or restore it from a backup, or set another DATA_DIR.`,
    )
  })
  if (theirs.trim() === ours.split('.')[0]) return
  throw new PostgresStartError(
    `DATA_DIR ${places.shown} holds a database of PostgreSQL ${theirs.trim()}, and this Postrider brings PostgreSQL ${ours.split('.')[0]}. Run npm run admin -- backup FILE with the Postrider that made it, set DATA_DIR to a new folder, and run npm run admin -- restore FILE with this one.`,
  )
}

/** The rename itself must outlast a power cut. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
