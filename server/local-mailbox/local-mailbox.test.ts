import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import '../auth/sessions.ts'
import { createHttp, type Http } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { createLocalMailbox } from '../providers/local-mailbox.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aCopy, aLetter } from '../test/simulators/a-mail.ts'
import { localMailboxRoutes } from './routes.ts'
import { createLocalMailboxStore, type LocalMailboxStore } from './store.ts'

let database: TestDatabase
let store: LocalMailboxStore
let app: Http
beforeAll(async () => {
  database = await freshDatabase()
  store = createLocalMailboxStore(database.db)
  const publicUrl = new URL('https://mail.example.com')
  app = await createHttp({ log: createLog('silent'), publicUrl })
  localMailboxRoutes(app, { store, receiver, publicUrl, isOpen: true })
})
beforeEach(() => sql`truncate local_mailbox_messages`.execute(database.db))
afterAll(async () => {
  await app.close()
  await database[Symbol.asyncDispose]()
})

const receiver = { receives: async () => false, take: async () => false }

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const messages = async (query = '') => (await get(`/local-mailbox/messages${query}`)).json()
let count = 0
async function deposit(
  letter: Parameters<typeof aLetter>[0] = {},
  copy: Parameters<typeof aCopy>[0] = {},
): Promise<string> {
  const [id] = await store.deposit(aLetter(letter), [aCopy({ idempotencyKey: `key-${count++}`, ...copy })])
  return id ?? ''
}

describe('the JSON', () => {
  it('tells all of a message, newest first', async () => {
    await deposit({ subject: 'First' })
    const id = await deposit({ subject: 'Second', replyTo: 'r@x.test' })
    const list = await messages()
    expect(list.map((message: { subject: string }) => message.subject)).toEqual(['Second', 'First'])
    expect(list[0]).toEqual({
      id,
      to: 'ann@x.test',
      from: 'Postrider <mail@postrider.localhost>',
      subject: 'Second',
      text: aLetter().text,
      html: aLetter().html,
      headers: {
        From: 'Postrider <mail@postrider.localhost>',
        To: 'ann@x.test',
        'Reply-To': 'r@x.test',
        Subject: 'Second',
        'Message-ID': '<1@postrider.localhost>',
        'Auto-Submitted': 'auto-generated',
      },
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  it('finds one recipient in any spelling', async () => {
    await deposit({}, { to: 'Ann@X.test' })
    await deposit({}, { to: { name: 'Bob, B.', address: 'bob@x.test' } })
    expect(await messages('?to=aNN@x.TEST')).toMatchObject([{ to: 'Ann@X.test' }])
    expect(await messages('?to=ann%2Bother@x.test')).toEqual([])
    expect(await messages('?to=')).toHaveLength(2)
    expect(await messages('?to=bob@x.test')).toMatchObject([
      { to: 'bob@x.test', headers: { To: '"Bob, B." <bob@x.test>' } },
    ])
  })

  it('is bounded', async () => {
    for (let n = 0; n < 105; n++) await deposit()
    expect(await messages()).toHaveLength(100)
    expect(await messages('?limit=3')).toHaveLength(3)
    expect((await get('/local-mailbox/messages?limit=1000')).statusCode).toBe(400)
  })
})

describe('a deposit', () => {
  it('that comes twice is one message', async () => {
    const provider = createLocalMailbox({ deposit: store.deposit })
    const same = [aCopy({ idempotencyKey: 'same' })]
    const x = [aCopy({ idempotencyKey: 'x' })]
    const [first] = await provider.send(aLetter(), same, AbortSignal.timeout(1000))
    const [second] = await provider.send(aLetter(), same, AbortSignal.timeout(1000))
    const both = await Promise.all([store.deposit(aLetter(), x), store.deposit(aLetter(), x)])
    expect(first).toMatchObject({ kind: 'accepted' })
    expect(second).toEqual(first)
    expect(both[0]).toEqual(both[1])
    expect(await messages()).toHaveLength(2)
  })

  it('of many copies answers in their order, also for those that are there already or come twice', async () => {
    const copies = (...names: string[]) =>
      names.map((name) => aCopy({ idempotencyKey: name, to: `${name}@x.test` }))
    const [a, c] = await store.deposit(aLetter(), copies('a', 'c'))
    const ids = await store.deposit(aLetter(), copies('d', 'c', 'b', 'd', 'a'))
    expect([ids[1], ids[3], ids[4]]).toEqual([c, ids[0], a])
    const list: { id: string; to: string }[] = await messages()
    expect(list).toHaveLength(4)
    for (const [index, name] of ['d', 'c', 'b', 'd', 'a'].entries())
      expect(list.find(({ id }) => id === ids[index])?.to).toBe(`${name}@x.test`)
  })

  it('of many copies never waits for itself, whatever the order of two that come at once', async () => {
    const keys = Array.from({ length: 200 }, (_, n) => aCopy({ idempotencyKey: `many-${n}` }))
    const reversed = keys.toReversed()
    const all = await Promise.all(
      [keys, reversed, keys, reversed].map((some) => store.deposit(aLetter(), some)),
    )
    expect(all[1]?.toReversed()).toEqual(all[0])
    expect(all[3]?.toReversed()).toEqual(all[2])
    expect(all[2]).toEqual(all[0])
  })

  it('that fails is tried later, and one with a broken header never is', async () => {
    const broken = createLocalMailbox({ deposit: () => Promise.reject(new Error('away')) })
    const copies = [aCopy(), aCopy({ headers: { 'X-Note': 'a\nb' } })]
    expect(await broken.send(aLetter(), copies, AbortSignal.timeout(1000))).toMatchObject([
      { kind: 'try-later', about: 'account' },
      { kind: 'rejected' },
    ])
  })

  it('lets the oldest go when there are too many', async () => {
    const small = createLocalMailboxStore(database.db, { kept: 5, pruneEvery: 2 })
    for (let n = 0; n < 11; n++)
      await small.deposit(aLetter({ subject: `${n}` }), [aCopy({ idempotencyKey: `n${n}` })])
    const list = await messages()
    expect(list.map((message: { subject: string }) => message.subject)).toEqual(['10', '9', '8', '7', '6'])
  })
})

describe('a name that is not ours', () => {
  it.each([
    'evil.test',
    'evil.test:3000',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '10.0.0.5',
    'user@localhost@evil.test',
    'a b',
  ])('is refused: %j', async (host) => {
    const id = await deposit()
    for (const path of ['', '/messages', `/messages/${id}/html`, `/messages/${id}/source`, '/mailbox.js']) {
      const response = await get(`/local-mailbox${path}`, { host })
      expect(response.statusCode).toBe(421)
      expect(response.body).toBe(
        'The local mailbox answers only at https://mail.example.com/local-mailbox and on this machine',
      )
    }
  })

  it('is the public one too, and whatever a proxy passes on, unless the operator opened the mailbox by name', async () => {
    const publicUrl = new URL('https://mail.example.com')
    await using closed = await createHttp({ log: createLog('silent'), publicUrl })
    localMailboxRoutes(closed, { store, receiver, publicUrl, isOpen: false })
    const status = async (headers: Record<string, string>) =>
      (await closed.inject({ url: '/local-mailbox/messages', headers })).statusCode
    expect(await status({ host: 'mail.example.com' })).toBe(421)
    expect(await status({ host: '127.0.0.1:3000', 'x-forwarded-for': '203.0.113.5' })).toBe(421)
    expect(await status({ host: 'localhost:3000', forwarded: 'for=203.0.113.5' })).toBe(421)
    expect(await status({ host: 'localhost:3000' })).toBe(200)
  })

  it('is refused when there is none at all', async () => {
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    socket.end('GET /local-mailbox/messages HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /)
  })

  it.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'mail.example.com', 'app.localhost'])(
    'is not %s',
    async (host) => {
      expect((await get('/local-mailbox/messages', { host })).statusCode).toBe(200)
    },
  )
})

describe('hostile mail', () => {
  const evil = `<script>alert(1)</script><img src=x onerror="alert(1)">"'`

  it('is inert as HTML', async () => {
    const id = await deposit({
      html: `<head><title>x</title></head>${evil}<form action="https://evil.test"></form>`,
    })
    const { headers, body } = await get(`/local-mailbox/messages/${id}/html`)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox;')
    for (const part of [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "form-action 'none'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/allow-(scripts|same-origin|forms|top)/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(body).toContain('<head><base target="_blank">')
  })

  it('is text in the page, whichever part of it is hostile', async () => {
    const id = await deposit({ subject: evil, text: `${evil} https://x.test/"onclick=alert(1)` })
    for (const view of ['html', 'text', 'source']) {
      const { body, headers } = await get(
        `/local-mailbox?id=${id}&view=${view}&to=${encodeURIComponent(evil)}`,
      )
      expect(body).not.toMatch(/<script>|<img|"onclick/)
      expect(headers['content-security-policy']).toContain("script-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
    }
    expect((await get('/local-mailbox')).body).toContain(
      'sandbox="allow-popups allow-popups-to-escape-sandbox"',
    )
  })
})

describe('the page', () => {
  it('says what to do while there is no mail', async () => {
    expect((await get('/local-mailbox')).body).toContain('No mail yet')
    expect((await get('/local-mailbox?to=ann@x.test')).body).toContain('Nothing for ann@x.test')
  })

  it('makes the links of a text mail work', async () => {
    const id = await deposit({ text: 'Open https://x.test/v?a=1&b=2. Thanks' })
    const { body } = await get(`/local-mailbox?id=${id}&view=text`)
    expect(body).toContain(
      'Open <a href="https://x.test/v?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">https://x.test/v?a=1&amp;b=2</a>. Thanks',
    )
  })

  it('shows the source as it would go over the wire', async () => {
    const id = await deposit(
      { subject: 'Grüße', replyTo: 'r@x.test' },
      { to: { name: 'Ann', address: 'ann@x.test' } },
    )
    const { body, headers } = await get(`/local-mailbox/messages/${id}/source`)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    for (const line of [
      'From: Postrider <mail@postrider.localhost>',
      'To: Ann <ann@x.test>',
      'Reply-To: r@x.test',
      'Message-ID: <1@postrider.localhost>',
      'Auto-Submitted: auto-generated',
    ])
      expect(body.split('\r\n')).toContain(line)
    expect(body).toContain('multipart/alternative')
  })

  it('is answered with no-store, and its files come from this origin', async () => {
    const id = await deposit()
    for (const path of [
      '',
      '/messages',
      `/messages/${id}/html`,
      `/messages/${id}/source`,
      '/mailbox.js',
      '/mailbox.css',
    ]) {
      const response = await get(`/local-mailbox${path}`)
      expect(response.statusCode).toBe(200)
      expect(response.headers['cache-control']).toBe('no-store')
    }
    for (const wrong of ['nonsense', '00000000-0000-4000-8000-000000000000'])
      expect((await get(`/local-mailbox/messages/${wrong}/html`)).statusCode).toBe(404)
  })
})
