import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import '../auth/sessions.ts'
import type { ReplyReceiver } from '../local-mailbox/reply-routes.ts'
import { localMailboxRoutes } from '../local-mailbox/routes.ts'
import { createLocalMailboxStore, type LocalMailboxStore } from '../local-mailbox/store.ts'
import { createHttp, type Http } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { aCopy, aLetter } from './simulators/a-mail.ts'

export const MAILBOX_URL = new URL('https://mail.example.com')

/** Nobody has an inbox here. */
export const NO_RECEIVER: ReplyReceiver = { receives: async () => false, take: async () => false }

/** The local mailbox and its pages without the rest of the application, one for all tests of a file; each finds it empty. */
export function mailboxOfFile(receiver: ReplyReceiver = NO_RECEIVER) {
  let database: TestDatabase
  let store: LocalMailboxStore
  let app: Http
  let count = 0
  beforeAll(async () => {
    database = await freshDatabase()
    store = createLocalMailboxStore(database.db)
    app = await createHttp({ log: createLog('silent'), publicUrl: MAILBOX_URL })
    localMailboxRoutes(app, { store, receiver, publicUrl: MAILBOX_URL, readers: 'everybody' })
  })
  beforeEach(() => sql`truncate local_mailbox_messages`.execute(database.db))
  afterAll(async () => {
    await app.close()
    await database[Symbol.asyncDispose]()
  })
  return {
    get app() {
      return app
    },
    get db() {
      return database.db
    },
    get store() {
      return store
    },
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers }),
    /** Puts a mail into it, and answers its id. */
    async deposit(
      letter?: Parameters<typeof aLetter>[0],
      copy?: Parameters<typeof aCopy>[0],
    ): Promise<string> {
      const copies = [aCopy({ idempotencyKey: `key-${count++}`, ...copy })]
      const [id = ''] = await store.deposit(aLetter(letter), copies)
      return id
    },
  }
}
