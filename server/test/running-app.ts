import { sql } from 'kysely'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { openDatabaseLines } from '../platform/database-lines.ts'
import { createLog } from '../platform/log.ts'
import type { BotPace } from '../telegram/calls.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { createMailReader, type MailReader } from './mail-reader.ts'
import { until } from './until.ts'

export type RunningApp = AsyncDisposable & {
  app: App
  config: Config
  /** For looking at what was stored, by a way of its own. */
  db: Database
  /** Everything that was logged, at the most talkative level. */
  logged: () => string
  /** A browser with its own cookies, on a page of the application. */
  browser: (options?: { headers?: Record<string, string> }) => Browser
  mails: MailReader
  /** Waits until no background work is left, so that "no mail" means that none will come. */
  settled: () => Promise<void>
}

export type RunningOptions = {
  /** The way to the database, where something shall stand in between. */
  databaseUrl?: (url: string) => string
  /** A database that outlives this application: for a restart, or for several processes on one database. */
  database?: TestDatabase
  /** After the key was replaced. */
  masterKey?: string
  botPace?: BotPace
  /** Passwords are hashed at their full cost: for whoever measures it. */
  isCostly?: boolean
}

/** A fiftieth of the real cost, in KiB. */
export const CHEAP_PASSWORDS = 1_024

export const TEST_KEY = 'a key for tests that is long enough to be accepted'

/**
 * The real application on a database of its own, as `npm start` runs it, but without a port. Mail is received only by a
 * test that says so.
 */
export async function aRunningApp(
  env: Record<string, string> = {},
  { databaseUrl, database: shared, masterKey = TEST_KEY, botPace, isCostly = false }: RunningOptions = {},
): Promise<RunningApp> {
  const database = shared ?? (await freshDatabase())
  const url = databaseUrl?.(database.url) ?? database.url
  const config = readConfig({ LOG_LEVEL: 'trace', INBOUND_SMTP_PORT: '0', ...env })
  const logged: string[] = []
  const log = createLog(config.logLevel, { write: (line) => void logged.push(line) })
  const lines = openDatabaseLines(url, log)
  // Only where something stands in the way: elsewhere a processor that stands still would be taken for an outage.
  if (databaseUrl) lines.watch()
  const db = openDatabase(url, log, { lines })
  const app = await createApp({
    config,
    db,
    databaseUrl: url,
    lines,
    masterKey,
    log,
    pagesFolder: new URL('../../web/dist', import.meta.url).pathname,
    botPace,
    passwordCost: isCostly ? undefined : CHEAP_PASSWORDS,
  })
  await app.work()

  const settled = async () => {
    await until('all background work is done', async () => {
      const { rows } = await sql<{ left: string }>`
        select (select count(*) from pgboss.job where state in ('created', 'retry', 'active'))
          -- A job only wakes a worker; what it has in hand is in its windows.
          + (select count(*) from delivery_windows where token is not null) as left`.execute(database.db)
      return rows[0]?.left === '0'
    })
  }

  return {
    app,
    config,
    db: database.db,
    logged: () => logged.join(''),
    browser: (options) => createBrowser(app.http, config.publicUrl, options),
    mails: createMailReader(app.http),
    settled,
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.destroy()
      lines.stop()
      if (!shared) await database[Symbol.asyncDispose]()
    },
  }
}
