import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { createMailReader } from '../mail-reading/mail-reader.ts'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { createMemoryBudget } from '../platform/memory-budget.ts'
import { closedAfterEach } from '../test/closing.ts'
import { aMail, anOwner, deliver, INBOX_ENV, type Owner, pathOf, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { aStoppedClock } from '../test/stopped-clock.ts'
import { until } from '../test/until.ts'
import { contentRoutes } from './content-routes.ts'
import { createMailbox } from './mailbox.ts'

type Reader = Owner & { item: InboxItem }

let running: RunningApp
let [ann, bob]: Reader[] = []
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const aReader = async (): Promise<Reader> => {
    const owner = await anOwner(running)
    await deliver(port, owner.address, LARGE)
    const [item] = await received(running, owner)
    if (!item) throw new Error('no mail')
    return { ...owner, item }
  }
  ann = await aReader()
  bob = await aReader()
})
afterAll(() => running[Symbol.asyncDispose]())
const opened = closedAfterEach()

/** More than the buffers between the two sides take. */
const BYTES = 12_000_000
const LARGE = aMail(
  {
    'Content-Type': 'application/x-any',
    'Content-Disposition': 'attachment; filename="large.bin"',
    'Content-Transfer-Encoding': 'base64',
  },
  Buffer.alloc(BYTES, 'x').toString('base64').replace(/.{76}/g, '$&\n'),
)

/** The files of the inbox over real connections, from little memory. */
async function files() {
  const http = await createHttp({ log: createLog('silent'), publicUrl: new URL('http://localhost:3000') })
  http.decorateRequest('user', null)
  let known = Promise.resolve()
  http.addHook('onRequest', async (request) => {
    await known
    const who = [ann, bob].find((one) => one?.userId === request.headers['x-user'])
    request.user = who ? { id: who.userId, email: who.email } : null
  })
  const reader = createMailReader()
  const mailbox = createMailbox({ db: running.db, reader, notices: { publish() {} } })
  contentRoutes(http, { mailbox, memory: createMemoryBudget({ bytes: 2.5 * BYTES, patienceMs: 100 }) })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
  function ask(who: Reader | undefined): ClientRequest {
    if (!who) throw new Error('nobody')
    const url = `${origin}${pathOf(who.item)}/attachments/0`
    return get(url, { headers: { 'x-user': who.userId }, agent: false })
  }
  return opened({
    /** Asks for as many files and hangs up on each before it is known who asks. */
    async askAndLeave(who: Reader | undefined, times: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      known = promise
      for (let n = 0; n < times; n++) {
        const asking = ask(who).on('error', () => {})
        const [, response] = (await once(http.server, 'request')) as [IncomingMessage, ServerResponse]
        asking.destroy()
        await until('it is noticed', () => response.closed)
      }
      resolve()
    },
    /** Reads nothing of it yet. */
    async fetch(who: Reader | undefined): Promise<IncomingMessage> {
      const asking = ask(who)
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      return answer.on('error', () => {})
    },
    async close() {
      http.server.closeAllConnections()
      await http.close()
      await reader.close()
    },
  })
}

async function whole(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

it('files that nobody reads are held for all together up to a limit, and others wait for room in words', async () => {
  const { fetch } = await files()
  const unread = [await fetch(ann), await fetch(ann)]
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const refused = await fetch(bob)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
  expect(String(await whole(refused))).toBe(
    'Too many files are being fetched at the moment. Please try again in a few seconds',
  )
  // What has arrived whole, and what was given up, takes no room any more.
  for (const end of [
    (one?: IncomingMessage) => one && whole(one),
    (one?: IncomingMessage) => one?.destroy(),
  ]) {
    await end(unread.shift())
    await until('there is room', async () => {
      const next = await fetch(bob)
      if (next.statusCode === 200) unread.push(next)
      return next.statusCode === 200
    })
  }
  expect((await whole(unread[0] as IncomingMessage)).length).toBe(BYTES)
})

it('a file of which nothing is taken for half a minute is let go, and one that is read slowly arrives', {
  tags: 'thorough',
}, async () => {
  const { fetch } = await files()
  using clock = aStoppedClock()
  const [idle, slow] = [await fetch(ann), await fetch(bob)]
  let isCut = false
  idle.socket.on('close', () => (isCut = true))
  let read = 0
  /** As much as cannot have stood in the buffers between the two sides. */
  const takeSome = async (): Promise<void> => {
    for (const enough = read + BYTES / 3; read < enough; ) {
      const piece = slow.read() as Buffer | null
      if (piece) read += piece.length
      else await setImmediate()
    }
  }
  await clock.pass(29_000)
  expect(isCut).toBe(false)
  await takeSome()
  await clock.pass(29_000)
  idle.resume()
  while (!isCut) await setImmediate()
  expect(idle.complete).toBe(false)
  await takeSome()
  await clock.pass(29_000)
  expect(read + (await whole(slow)).length).toBe(BYTES)
})

it('whoever hangs up before it is known who asks takes no place and no room from then on', {
  tags: 'thorough',
}, async () => {
  const { fetch, askAndLeave } = await files()
  await askAndLeave(ann, 4)
  const [hers, his] = [await fetch(ann), await fetch(bob)]
  expect([hers.statusCode, his.statusCode]).toEqual([200, 200])
  for (const one of [hers, his]) one.destroy()
})
