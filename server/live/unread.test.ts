import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { createNotices } from '../platform/notices.ts'
import { closedAfterEach } from '../test/closing.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { liveRoutes } from './routes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})
const opened = closedAfterEach()

const ANN = { id: 'ann', email: 'ann@x.test' }
/** More than the kernel keeps on both sides of a connection whose reader sleeps. */
const LARGE = 'x'.repeat(16 * 1024 * 1024)
const AN_HOUR_MS = 3_600_000
/** What a test says nothing else of does not come to pass, but the heartbeats come often. */
const PACE = {
  heartbeatMs: 10,
  lifetimeMs: AN_HOUR_MS,
  farewellMs: AN_HOUR_MS,
  unsentLimit: Number.POSITIVE_INFINITY,
}

/** The live pages of one process, over real connections, with everybody signed in as Ann. */
async function livePages(pace: Partial<typeof PACE>) {
  const log = createLog('error')
  const notices = createNotices({ db: database.db, url: database.url, log })
  const http = await createHttp({ log, publicUrl: new URL('http://localhost:3000') })
  http.decorateRequest('user', null)
  let known = Promise.resolve()
  http.addHook('onRequest', async (request) => {
    await known
    request.user = ANN
  })
  let isSignedIn = true
  const live = liveRoutes(http, {
    notices,
    sessions: { find: async () => (isSignedIn ? ANN : null) },
    describe: { large: async () => ({ text: LARGE }), small: async (_, id) => ({ id }) },
    pace: { ...PACE, ...pace },
  })
  await http.listen({ port: 0, host: '127.0.0.1' })

  /** Asks for a stream; with what this process has of it. */
  async function ask(): Promise<{ socket: Socket; response: ServerResponse }> {
    const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1').pause()
    socket.on('error', () => {}).write('GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const [, response] = (await once(http.server, 'request')) as [IncomingMessage, ServerResponse]
    return { socket, response }
  }

  return opened({
    ask,
    /** Until it is called back, nobody is told who they are. */
    delaySessions(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      known = promise
      return resolve
    },
    signOut: () => {
      isSignedIn = false
    },
    tell: (kind: 'large' | 'small', id: string) => notices.publish({ userId: ANN.id, kind, id }),
    /** A page that is open, and has not begun to read. */
    async open(): Promise<{ socket: Socket; response: ServerResponse }> {
      const page = await ask()
      await until('the page is open', () => page.response.headersSent)
      return page
    },
    async close() {
      live.close()
      http.server.closeAllConnections()
      await http.close()
      await notices.stop()
    },
  })
}

/** Begins to read; answers with all that has come. */
function read(socket: Socket): () => string {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.resume()
  return () => text
}

const deafen = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'postrider notices'`.execute(database.db)

const hasUnsent = ({ response }: { response: ServerResponse }) =>
  until('the page has stopped reading', () => response.writableLength > 0)

for (const { when, lifetimeMs, end, tags } of [
  { when: 'its time is over', lifetimeMs: 5_000, end: async () => {}, tags: 'thorough' },
  { when: 'nothing more is heard', lifetimeMs: AN_HOUR_MS, end: deafen, tags: [] },
])
  it(`lets go of a page that has stopped reading a moment after ${when}, and goes on`, { tags }, async () => {
    const pages = await livePages({ lifetimeMs, farewellMs: 300 })
    const asleep = await pages.open()
    pages.tell('large', 'asleep')
    await hasUnsent(asleep)
    await end()
    // An error that nobody hears, as of a heartbeat after the end, would end the process.
    await until('the connection is cut', () => asleep.response.destroyed)

    const awake = await pages.open()
    const said = read(awake.socket)
    pages.tell('small', 'afterwards')
    await until('another page hears what changes', () => said().includes('afterwards'))
    awake.socket.destroy()
  })

it('brings a page that reads on in time everything, up to the end, however many heartbeats were due', async () => {
  const pages = await livePages({})
  const asleep = await pages.open()
  pages.tell('large', 'asleep')
  await hasUnsent(asleep)
  await deafen()
  await until('its stream is ended', () => asleep.response.writableEnded)

  const awake = await pages.open()
  const heartbeats = read(awake.socket)
  await until('heartbeats were due', () => heartbeats().split(': still here').length > 5)
  awake.socket.destroy()

  const said = read(asleep.socket)
  await until('all has come', () => said().endsWith('0\r\n\r\n'))
  expect(said()).toContain(LARGE)
})

it('keeps little for a page that has stopped reading, and tells a page that reads all, however long', {
  tags: 'thorough',
}, async () => {
  const pages = await livePages({ heartbeatMs: AN_HOUR_MS, unsentLimit: 64 * 1024 })
  const [asleep, awake] = [await pages.open(), await pages.open()]
  const said = read(awake.socket)
  pages.tell('large', 'for both')
  await until('the page that reads has all of it', () => said().includes(`${LARGE}"}`))
  pages.tell('small', 'afterwards')
  await until('it hears what comes after', () => said().includes('afterwards'))
  await until('the page that has stopped reading is let go', () => asleep.response.destroyed)
  awake.socket.destroy()
})

it('ends the stream of a page whose session has ended, though there is nothing to tell', async () => {
  const pages = await livePages({})
  const { socket, response } = await pages.open()
  const said = read(socket)
  await until('it is there for minutes', () => said().split(': still here').length > 5)
  pages.signOut()
  await until('its stream is ended', () => response.writableEnded)
  await until('all has come', () => said().endsWith('0\r\n\r\n'))
})

it('forgets pages that were closed while their session was looked up, and has room for others', async () => {
  const pages = await livePages({})
  const answer = pages.delaySessions()
  for (let n = 0; n < 20; n++) {
    const { socket, response } = await pages.ask()
    socket.destroy()
    await until('the page is gone', () => response.closed)
  }
  answer()
  const { socket } = await pages.open()
  const said = read(socket)
  await until('a page hears again', () => said().includes(': still here'))
  expect(said()).toMatch(/^HTTP\/1\.1 200 /)
})
