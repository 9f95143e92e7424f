import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { codeOf, explainOutput, OTHER_DATABASE, PostgresStartError } from './explain.ts'
import type { Places } from './places.ts'
import { type Command, type Finished, runToEnd } from './run.ts'

/** How PostgreSQL's programs are run here. PostgreSQL refuses root, so root has to become somebody else. */
export type RunAs = {
  command(file: string, args: readonly string[]): Command
  /** Who must own the database's files; null when whatever we make is right already. */
  owner: Owner | null
  /** What `postgres --version` answered when it was tried this way, such as 18.4. */
  version: string
}

type Owner = { uid: number; gid: number }
type Way = Omit<RunAs, 'version'>

type UserOptions = {
  /** False stands for a system that forbids user namespaces. */
  namespaces: boolean
  helperUser: string
}

/**
 * Ordinary users run PostgreSQL directly. Root tries, in this order:
 * - files that already belong to somebody else: becomes that user, so that nobody is locked out of what they made;
 * - a user namespace in which root is called number 1: files stay root's, no user is made, and a folder that only
 *   root may enter is no obstacle;
 * - a helper user, made once, that gets the files; where a folder on the way is closed to it, it is lent the right to
 *   pass (CAP_DAC_OVERRIDE), and neither programs nor data have to move.
 */
export async function chooseUser(places: Places, binaries: Binaries, options: UserOptions): Promise<RunAs> {
  if (process.getuid?.() !== 0) return ordinaryUser(places, binaries, options)
  const owner = await ownerOf(places.home)
  if (owner && owner.uid !== 0)
    return firstThatWorks(places, binaries, [become(owner), becomeWithPassage(owner)])
  const inNamespace = options.namespaces ? await attempt(places, binaries, namespaced) : null
  if (inNamespace?.works) return inNamespace.runAs
  const helper = await helperUser(options.helperUser)
  return firstThatWorks(places, binaries, [become(helper), becomeWithPassage(helper)])
}

const direct: Way = { command: (file, args) => ({ file, args }), owner: null }

const namespaced: Way = {
  command: (file, args) => ({
    file: 'unshare',
    args: ['--user', '--map-user=1', '--map-group=1', '--', file, ...args],
  }),
  owner: null,
}

const become = (owner: Owner): Way => ({ command: (file, args) => ({ file, args, ...owner }), owner })

const becomeWithPassage = (owner: Owner): Way => ({
  command: (file, args) => ({
    file: 'setpriv',
    args: [
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--',
      file,
      ...args,
    ],
  }),
  owner,
})

/** initdb asks for the caller's name, which numbers given by `docker --user 1234` lack; in a namespace it has one. */
async function ordinaryUser(places: Places, binaries: Binaries, options: UserOptions): Promise<RunAs> {
  const ways = hasName() || !options.namespaces ? [direct] : [namespaced, direct]
  return firstThatWorks(places, binaries, ways)
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function firstThatWorks(places: Places, binaries: Binaries, ways: readonly Way[]): Promise<RunAs> {
  let failure: PostgresStartError | null = null
  for (const way of ways) {
    const outcome = await attempt(places, binaries, way)
    if (outcome.works) return outcome.runAs
    // The first way is the one that ought to work; what the last resort complains about would mislead.
    failure ??= outcome.failure
  }
  throw failure ?? new Error('there was no way to try')
}

type Attempt = { works: true; runAs: RunAs } | { works: false; failure: PostgresStartError }

/** Tries a way for real: enter DATA_DIR and run the program. It takes a few milliseconds and no guess is as good. */
async function attempt(places: Places, binaries: Binaries, way: Way): Promise<Attempt> {
  const trial =
    way === direct
      ? way.command(binaries.postgres, ['--version'])
      : way.command('/bin/sh', ['-c', 'cd "$1" && exec "$2" --version', 'sh', places.root, binaries.postgres])
  const end = await runToEnd(trial, '/')
  const version = end.output.match(/\(PostgreSQL\) (\S+)/)?.[1]
  if (end.ok && version) return { works: true, runAs: { ...way, version } }
  failIfBroken(places, way, end)
  return { works: false, failure: explainRefusal(places, binaries, way, end) }
}

/** Where the program itself is broken, nobody else would fare better with it. */
function failIfBroken(places: Places, way: Way, { output, errorCode }: Finished): void {
  if (/error while loading shared libraries|Library not loaded/.test(output))
    throw explainOutput(output, places.shown)
  // The kernel says "no such file" about a program whose loader is missing: on Alpine that is the C library itself.
  if ((way === direct && errorCode === 'ENOENT') || /postgres: .*(not found|No such file)/.test(output))
    throw new PostgresStartError(
      `Postrider's own PostgreSQL does not run on this system, which lacks the GNU C library. Use a Debian-like system, ${OTHER_DATABASE}.`,
    )
}

function explainRefusal(places: Places, binaries: Binaries, way: Way, { output, errorCode }: Finished) {
  if (way.owner)
    return new PostgresStartError(
      `PostgreSQL does not run as root, and its helper user may not enter ${places.root} or run ${binaries.postgres}. Run Postrider as an ordinary user, move it out of the closed folder, ${OTHER_DATABASE}.`,
      { cause: new Error(output) },
    )
  if (errorCode)
    return new PostgresStartError(
      `The program ${binaries.postgres} cannot be run (${errorCode}). Allow programs in that folder (it may be mounted noexec), ${OTHER_DATABASE}.`,
    )
  return explainOutput(output, places.shown)
}

async function helperUser(name: string): Promise<Owner> {
  const existing = await idsOf(name)
  if (existing) return existing
  const made = await runToEnd(
    {
      file: 'useradd',
      args: ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false', name],
    },
    '/',
  )
  const fresh = await idsOf(name)
  if (fresh) return fresh
  throw new PostgresStartError(
    `PostgreSQL does not run as root, and the user ${name} could not be made for it. Run Postrider as an ordinary user, ${OTHER_DATABASE}.`,
    { cause: new Error(made.output) },
  )
}

async function idsOf(name: string): Promise<Owner | null> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((flag) =>
      runToEnd({ file: 'id', args: [flag, name] }, '/').then((end) => (end.ok ? end.output : '')),
    ),
  )
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

const ownerOf = (path: string): Promise<Owner | null> =>
  stat(path).then(
    ({ uid, gid }) => ({ uid, gid }),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    },
  )

/** Gives a folder and all in it to the user who runs PostgreSQL; the folder last, so that a half-done pass is redone. */
export async function giveTo(runAs: RunAs, folder: string): Promise<void> {
  const { owner } = runAs
  if (!owner || (await ownerOf(folder))?.uid === owner.uid) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  await chown(folder, owner.uid, owner.gid)
}
