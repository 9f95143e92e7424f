import { sql } from 'kysely'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshDatabase } from './database.ts'
import { createMailReader, type MailReader } from './mail-reader.ts'

export type RunningApp = AsyncDisposable & {
  app: App
  config: Config
  db: Database
  databaseUrl: string
  /** Everything that was logged, at the most talkative level. */
  logged: () => string
  /** A browser with its own cookies, on a page of the application. */
  browser: (options?: { headers?: Record<string, string> }) => Browser
  mails: MailReader
  /** Waits until no background work is left, so that "no mail" means that none will come. */
  settled: () => Promise<void>
}

export const TEST_KEY = 'a key for tests that is long enough to be accepted'

/** The real application on a database of its own, as `npm start` runs it, but without a port. */
export async function aRunningApp(env: Record<string, string> = {}): Promise<RunningApp> {
  const database = await freshDatabase()
  const config = readConfig({ LOG_LEVEL: 'trace', ...env })
  const lines: string[] = []
  const app = await createApp({
    config,
    db: database.db,
    databaseUrl: database.url,
    masterKey: TEST_KEY,
    log: createLog(config.logLevel, { write: (line) => void lines.push(line) }),
    pagesFolder: new URL('../../web/dist', import.meta.url).pathname,
  })
  await app.work()

  const settled = async () => {
    await until('all background work is done', async () => {
      const { rows } = await sql<{ left: string }>`
        select count(*) as left from pgboss.job where state in ('created', 'retry', 'active')`.execute(
        database.db,
      )
      return rows[0]?.left === '0'
    })
  }

  return {
    app,
    config,
    db: database.db,
    databaseUrl: database.url,
    logged: () => lines.join(''),
    browser: (options) => createBrowser(app.http, config.publicUrl, options),
    mails: createMailReader(app.http),
    settled,
    async [Symbol.asyncDispose]() {
      await app.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Looks again and again until something holds; fails with its name when it does not within the time. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  milliseconds = 20_000,
): Promise<void> {
  const deadline = performance.now() + milliseconds
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${milliseconds} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
