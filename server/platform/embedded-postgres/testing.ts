import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { preparePlaces } from './places.ts'
import { findPostmaster, isGone } from './postmaster.ts'

/** Tests crash processes, not machines: nothing is lost without fsync, and a start is quicker. */
export const FAST = { fsync: 'off' }
export const isRoot = process.getuid?.() === 0
/** Nobody but root can run what lies in a folder that only root may enter, this clone included. */
export const isCloneOpen =
  !isRoot || everyFolderAbove(import.meta.dirname).every((folder) => statSync(folder).mode & 0o001)

/** Before Linux 6 files in memory, where tests have theirs, carry no time of birth: a copy is then not to be told. */
export const areBirthsTold = process.platform !== 'linux' || isBornLately()

function isBornLately(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-birth-'))
  const { birthtimeMs } = statSync(folder)
  rmSync(folder, { recursive: true })
  return birthtimeMs > 0
}

function everyFolderAbove(folder: string): string[] {
  return folder === dirname(folder) ? [folder] : [folder, ...everyFolderAbove(dirname(folder))]
}
const HOLDER = fileURLToPath(new URL('./testing-holder.ts', import.meta.url))

type Line = Partial<{
  ready: true
  url: string
  ms: number
  log: string
  signal: string
  stopped: true
  error: { name: string; message: string }
}>

type Holder = {
  pid: number
  ready: Promise<{ url: string; ms: number }>
  refusal: Promise<{ name: string; message: string }>
  said(match: (line: Line) => boolean): Promise<Line>
  lines: Line[]
  /** Answers a signal: the application has drained and lets the database stop. */
  drain(): void
  exited: Promise<void>
  kill(signal: NodeJS.Signals): void
}

const holders: Holder[] = []
const folders: string[] = []

/** The application as a process of its own, in a process group of its own like a job of a terminal. */
export function aPostrider(options: EmbeddedPostgresOptions, as: readonly string[] = []): Holder {
  const [file = '', ...args] = [
    ...as,
    process.execPath,
    HOLDER,
    JSON.stringify({ settings: FAST, ...options }),
  ]
  const child = spawn(file, args, { detached: true, cwd: dirname(HOLDER) })
  const holder = follow(child)
  holders.push(holder)
  return holder
}

function follow(child: ChildProcessWithoutNullStreams): Holder {
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line))
    wake()
  })
  let closed = false
  const exited = new Promise<void>((resolve) =>
    child.once('close', () => {
      closed = true
      wake()
      resolve()
    }),
  )
  const said = (match: (line: Line) => boolean) =>
    new Promise<Line>((resolve, reject) => {
      const look = () => {
        const line = lines.find(match)
        if (line) resolve(line)
        else if (closed) reject(new Error(`it ended and said ${JSON.stringify(lines)} ${errors}`))
        else return
        waiting.delete(look)
      }
      waiting.add(look)
      look()
    })
  const settle = async <T>(line: Promise<Line>, pick: (line: Line) => T | undefined): Promise<T> => {
    const value = pick(await line)
    if (value === undefined) throw new Error(`it said ${JSON.stringify(lines)}`)
    return value
  }
  const settled = () => said((line) => Boolean(line.ready ?? line.error))
  return {
    pid: child.pid ?? 0,
    get ready() {
      return settle(settled(), ({ url, ms }) =>
        url === undefined || ms === undefined ? undefined : { url, ms },
      )
    },
    get refusal() {
      return settle(settled(), ({ error }) => error)
    },
    said,
    lines,
    drain: () => child.stdin.write('\n'),
    exited,
    kill: (signal) => process.kill(child.pid ?? 0, signal),
  }
}

/** A folder that is removed after the test, with whatever still runs in it. */
export function aFolder({ mode = 0o700, under = tmpdir() } = {}): string {
  const folder = mkdtempSync(join(realpathSync(under), 'postrider-test-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

let template: string | null = null

/** A DATA_DIR with a whole database in it. Made once and copied, since making one takes a second. */
export async function aDataDir(under = aFolder()): Promise<string> {
  if (!template) {
    template = mkdtempSync(join(tmpdir(), 'postrider-template-'))
    await (await startEmbeddedPostgres({ dir: template, settings: FAST })).stop()
  }
  const dir = join(under, 'data')
  // Most of it is zeros that PostgreSQL reserves for its log.
  execFileSync('cp', [...(process.platform === 'linux' ? ['--sparse=always'] : []), '-pR', template, dir])
  return dir
}

export async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

export async function postmasterOf(dir: string): Promise<number> {
  const running = await findPostmaster(await preparePlaces(dir))
  if (!running) throw new Error(`no postmaster runs in ${dir}`)
  return running.pid
}

export async function killEverything(holder: Holder, dir: string): Promise<void> {
  const postmaster = await postmasterOf(dir)
  holder.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await holder.exited
  await isGone(postmaster, 5_000)
}

/** The command that runs another as a user without rights; reading rights are lent where the clone is closed to it. */
export function asOrdinaryUser(folder: string): string[] {
  if (!isRoot) return []
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout),
  )
  if (uid === undefined || gid === undefined) throw new Error('this system has no user nobody')
  chownSync(folder, uid, gid)
  const plain = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const [file = '', ...args] = [...plain, 'test', '-r', HOLDER, '-a', '-x', process.execPath]
  if (spawnSync(file, args).status === 0) return plain
  return [...plain, '--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search']
}

/** Ends what a test left running and removes its folders; for afterEach. */
export async function cleanUp(): Promise<void> {
  for (const holder of holders.splice(0)) {
    try {
      holder.kill('SIGKILL')
    } catch {
      // It has ended, as most have.
    }
    await holder.exited
  }
  for (const folder of folders.splice(0)) {
    for (const dir of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
      if (!existsSync(join(dir, 'postgres'))) continue
      const running = await findPostmaster(await preparePlaces(dir))
      if (!running) continue
      process.kill(running.pid, 'SIGQUIT')
      await isGone(running.pid, 10_000)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

export function removeTemplate(): void {
  if (template) rmSync(template, { recursive: true, force: true })
  template = null
}
