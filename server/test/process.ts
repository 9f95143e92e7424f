import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './compile-cache.ts'
import { freePort } from './free-port.ts'
import { PROGRAMS } from './programs.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What `npm start` tells Node, so that the memory is that which people see. */
export const FLAGS_OF_NPM_START: readonly string[] =
  readFileSync(join(ROOT, 'package.json'), 'utf8')
    .match(/"start": "[^"]*"/)?.[0]
    .match(/--[\w-]+(?:=\w+)?/g) ?? []

/** Postrider as a process of its own. */
export type Process = {
  url: string
  output: () => string
  /** The same, without that PostgreSQL takes long to start: that depends on the machine. */
  said: () => string
  isReady: () => Promise<boolean>
  /** Sends a signal and waits for the end; answers the exit code, or null after a signal killed it. */
  end: (signal: NodeJS.Signals) => Promise<number | null>
  ended: Promise<number | null>
  /** As when the other end of a pipe, `tee` or `less`, has gone. */
  stopReading: () => void
  pid: number
}

/** Folders and processes of one test, all gone at its end. */
export type Ground = AsyncDisposable & {
  dataDir: string
  /** This version, or the one whose main file is named. */
  start: (env?: Record<string, string>, main?: string, flags?: readonly string[]) => Promise<Process>
  /** By `npm start`, as people do, with the set-up before it. */
  npmStart: (env?: Record<string, string>) => Promise<Process>
}

export async function aGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-process-'))
  const dataDir = join(folder, 'data')
  const children: ChildProcess[] = []

  async function run(
    command: string,
    args: string[],
    cwd: string,
    env: Record<string, string>,
  ): Promise<Process> {
    const port = env['PORT'] ?? String(await freePort())
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(command, args, {
      cwd,
      // The receiver would open one port for all tests.
      env: { PATH, HOME, DATA_DIR: dataDir, PORT: port, INBOUND_SMTP_PORT: '0', ...COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return watch(child, `http://localhost:${port}`)
  }

  return {
    dataDir,
    start: (env = {}, main = PROGRAMS.main, flags = []) =>
      run(process.execPath, [...flags, main], folder, env),
    npmStart: (env = {}) => run('npm', ['start'], ROOT, env),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL')
      await killDatabase(dataDir)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const SLOW_DATABASE =
  /^\{.*"postgres":"(?:PostgreSQL is still starting|Waiting for (?:the )?PostgreSQL).*\}\n/gm

function watch(child: ChildProcess, url: string): Process {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    said: () => output.replaceAll(SLOW_DATABASE, ''),
    ended,
    stopReading() {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    },
    isReady: () =>
      fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** What a start may take beside many others on a slow machine; how quick it is by itself is measured elsewhere. */
export const START_MS = 50_000

export const ready = (running: Process): Promise<void> =>
  until(
    'Postrider is ready',
    async () => {
      if (await running.isReady()) return true
      const code = await Promise.race([running.ended, Promise.resolve('alive')])
      if (code !== 'alive') throw new Error(`Postrider ended with ${code}: ${running.output()}`)
      return false
    },
    START_MS,
  )

/** The postmaster outlives its parent on purpose; this ends it the hard way, with everything below it. */
export async function killDatabase(dataDir: string): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(file.split('\n')[0])
  if (!(pid > 1)) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
