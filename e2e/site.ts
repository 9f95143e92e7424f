import { fileURLToPath } from 'node:url'
import { type App, createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import type { Database } from '../server/platform/database.ts'
import { createLog } from '../server/platform/log.ts'
import { type Browser as ApiClient, createBrowser } from '../server/test/browser.ts'
import { freshDatabase } from '../server/test/database.ts'
import { freePort } from '../server/test/free-port.ts'
import { createMailReader, type MailReader } from '../server/test/mail-reader.ts'
import { CHEAP_PASSWORDS, TEST_KEY } from '../server/test/running-app.ts'
import { isUnsteady, makeUnsteady } from '../server/test/unsteady.ts'
import { until } from '../server/test/until.ts'

/** What a call and a file take each way, where the server is unsteady. */
const CALL_MS = 400
const FILE_MS = 60

/** Generous for a busy machine; a person who presses Ctrl-C has long lost patience. */
const STOP_MS = 10_000

export type Site = AsyncDisposable & {
  /** Where people open it, for example http://localhost:41234 */
  origin: string
  db: Database
  /** What arrived in the local mailbox. */
  mails: MailReader
  /** The API as a page of ours uses it, for what a journey only needs to have happened. */
  client(): ApiClient
  /** Where mail servers bring mail: the port of the receiver, which listens from the first question on. */
  receiver(): Promise<number>
  /** Stops the application and starts it again, on the same database and the same port. */
  restart(): Promise<void>
  /** What the server logged as an error since the last call. */
  takeErrors(): string[]
}

/** The real application with the built web, on a database and a port of its own. */
export async function aSite(env: Record<string, string> = {}): Promise<Site> {
  const database = await freshDatabase()
  const port = await freePort()
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'error',
    ...env,
  })
  let errors: string[] = []

  const start = async (): Promise<App> => {
    const app = await createApp({
      config,
      db: database.db,
      databaseUrl: database.url,
      masterKey: TEST_KEY,
      log: createLog(config.logLevel, { write: (line) => void errors.push(line) }),
      pagesFolder: fileURLToPath(new URL('../web/dist', import.meta.url)),
      passwordCost: CHEAP_PASSWORDS,
    })
    await app.work()
    if (isUnsteady) makeUnsteady(app.http.server, ({ url }) => (url?.startsWith('/api') ? CALL_MS : FILE_MS))
    await app.http.listen({ host: config.host, port })
    return app
  }
  let app = await start()
  let receiving: Promise<number> | undefined

  return {
    origin: config.publicUrl.origin,
    db: database.db,
    get mails() {
      return createMailReader(app.http)
    },
    client: () => createBrowser(app.http, config.publicUrl),
    receiver() {
      receiving ??= app.inbound.listen({ host: '127.0.0.1', port: 0 })
      return receiving
    },
    async restart() {
      await stop(app)
      receiving = undefined
      app = await start()
    },
    takeErrors() {
      const taken = errors
      errors = []
      return taken
    },
    async [Symbol.asyncDispose]() {
      await stop(app)
      await database[Symbol.asyncDispose]()
    },
  }
}

async function stop(app: App): Promise<void> {
  let isStopped = false
  const stopping = app.close().then(() => {
    isStopped = true
  })
  await Promise.race([stopping, until('the application stops', async () => isStopped, STOP_MS)])
}
