import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { startJobs } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { makePrograms } from './programs.ts'
import { isUnsteady, unsteadyWayTo } from './unsteady.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL for the whole run, and the migrated database that every test file copies. */
    postgres: { url: string; template: string }
  }
}

const TEMPLATE = `template_${process.pid}`

/** One PostgreSQL for the run: our own, or with TEST_DATABASE_URL any other, to see that it serves as well. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL']
    ? { url: process.env['TEST_DATABASE_URL'], stop: async () => {} }
    : await startThrowawayPostgres()
  await Promise.all([createTemplate(server.url), makePrograms()])
  const way = isUnsteady ? await unsteadyWayTo(server.url) : null
  project.provide('postgres', { url: way?.url ?? server.url, template: TEMPLATE })
  return async () => {
    await way?.stop()
    await run(server.url, `drop database if exists ${TEMPLATE}`)
    await server.stop()
  }
}

async function startThrowawayPostgres() {
  const dir = await mkdtemp(join(tmpdir(), 'postrider-test-'))
  const postgres = await startEmbeddedPostgres({
    dir: join(dir, 'postgres'),
    // The data lives for one run: no need to wait for the disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  await makeConnectingCheap(postgres.url)
  const dropAtExit = () => drop(dir)
  process.once('exit', dropAtExit)
  // Whoever is ended by this has no exit otherwise.
  process.once('SIGTERM', () => process.exit(143))
  return {
    url: postgres.url,
    stop: async () => {
      process.off('exit', dropAtExit)
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A run that is interrupted has no time to wait: its server is told to go, and its files are taken away. */
function drop(dir: string): void {
  const [postmaster = ''] = readFileSync(join(dir, 'postgres/postgres/data/postmaster.pid'), 'utf8').split(
    '\n',
  )
  process.kill(Number(postmaster), 'SIGQUIT')
  // While it goes it still writes.
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 40; tries > 0 && existsSync(dir); tries -= 1) {
    Atomics.wait(pause, 0, 0, 50)
    try {
      rmSync(dir, { recursive: true })
    } catch {}
  }
}

/** Tests connect thousands of times, and a password is hashed four thousand times over for each, on both sides. */
async function makeConnectingCheap(url: string): Promise<void> {
  const { username, password } = new URL(url)
  await run(
    url,
    `set scram_iterations = 1; alter role ${pg.escapeIdentifier(decodeURIComponent(username))} password ${pg.escapeLiteral(decodeURIComponent(password))}`,
  )
}

async function createTemplate(url: string): Promise<void> {
  await run(url, `create database ${TEMPLATE}`)
  const log = createLog('error')
  const templateUrl = databaseUrl(url, TEMPLATE)
  await migrate(templateUrl, log)
  const jobs = await startJobs({ url: templateUrl, log, kinds: [], works: false })
  await jobs.stop()
}

export async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
