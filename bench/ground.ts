import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import packageJson from '../package.json' with { type: 'json' }
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '../server/test/free-port.ts'
import { isOpen } from '../server/test/postfix.ts'
import { until } from '../server/test/until.ts'

/** As `npm start` runs it. */
const NODE_FLAGS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'))
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** A real PostgreSQL and Debian's smtp-sink, for one run. */
export type Ground = AsyncDisposable & {
  sinkPort: number
  /** A new, empty database each time. */
  database(): Promise<string>
}

export async function aGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-bench-'))
  const postgres = await startEmbeddedPostgres({ dir: folder })
  const sinkPort = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const sink = spawn('/usr/sbin/smtp-sink', [...user, '-c', `127.0.0.1:${sinkPort}`, '1000'], {
    stdio: 'ignore',
  })
  let databases = 0
  const ground: Ground = {
    sinkPort,
    async database() {
      const name = `bench_${++databases}`
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = new URL(postgres.url)
      url.pathname = `/${name}`
      return url.href
    },
    async [Symbol.asyncDispose]() {
      sink.kill()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await until('smtp-sink listens', () => isOpen(sinkPort))
    return ground
  } catch (error) {
    await ground[Symbol.asyncDispose]()
    throw error
  }
}

export type Postrider = {
  url: string
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** The campaign that entered as a stream. */
  campaign: { id: string; beganAt: number } | null
  stop(): Promise<{ peakMb: number; cpuMs: number }>
}

/** A bench that fails ends at once; what it started must not stay behind. */
const started = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

export async function startPostrider(
  databaseUrl: string,
  sinkPort: number,
  {
    roles = 'web,worker',
    streamed = 0,
    env = {},
  }: { roles?: string; streamed?: number; env?: Record<string, string> } = {},
): Promise<Postrider> {
  const relay = `smtp://127.0.0.1:${sinkPort}`
  const args = [here('postrider.ts'), databaseUrl, relay, roles, String(streamed), JSON.stringify(env)]
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.add(child)
  const lines = linesOf(child)
  const { url, origin, cookie, campaign } = (await lines()) as {
    url: string
    origin: string
    cookie: string
    campaign: Postrider['campaign']
  }
  return {
    url,
    campaign,
    async call(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { cookie, origin, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return response.json()
    },
    async stop() {
      child.kill('SIGTERM')
      const last = (await lines()) as { peakMb: number; cpuMs: number }
      await once(child, 'exit')
      started.delete(child)
      return last
    },
  }
}

/** Runs a sender to its end; answers its one line. */
export async function runAnchor(name: string, ...args: readonly string[]): Promise<{ ms: number }> {
  const child = spawn(process.execPath, [here(name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return (await linesOf(child)()) as { ms: number }
}

/** How long Postfix's own sender takes, which is written in C and stores nothing: about as fast as it goes. */
export async function runSmtpSource(port: number, messages: number, bytes: number): Promise<number> {
  const began = performance.now()
  const args = ['-d', '-s', '10', '-m', String(messages), '-l', String(bytes), `127.0.0.1:${port}`]
  const child = spawn('/usr/sbin/smtp-source', args, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`smtp-source ended with ${code}`)
  return performance.now() - began
}

function linesOf(child: ChildProcess): () => Promise<unknown> {
  if (!child.stdout) throw new Error('the child has no output')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the process ended without an answer')
    return JSON.parse(value)
  }
}
