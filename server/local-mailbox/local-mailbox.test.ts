import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../platform/database.ts'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { createLocalMailbox } from '../providers/local-mailbox.ts'
import { aUser } from '../test/accounts.ts'
import { act, deliveries, finished, send } from '../test/campaigns.ts'
import { mailboxOfFile, NO_RECEIVER } from '../test/local-mailbox.ts'
import { aRunningApp } from '../test/running-app.ts'
import { aCopy, aLetter, UNSTOPPED } from '../test/simulators/a-mail.ts'
import { until } from '../test/until.ts'
import { localMailboxRoutes } from './routes.ts'
import { createLocalMailboxStore } from './store.ts'

const mailbox = mailboxOfFile()
const { get, deposit } = mailbox

const messages = async (query = '') => (await get(`/local-mailbox/messages${query}`)).json()

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

/** The database keeps mails, and no report of them until it is told to. */
async function refuseReports(db: Database): Promise<() => Promise<unknown>> {
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(
    db,
  )
  await sql`create trigger refuse_reports before insert on delivery_events for each row execute function refuse()`.execute(
    db,
  )
  return () => sql`drop trigger refuse_reports on delivery_events`.execute(db)
}

describe('a deposit', () => {
  it('that comes twice is one message', async () => {
    const provider = createLocalMailbox({ deposit: mailbox.store.deposit })
    const same = [aCopy({ idempotencyKey: 'same' })]
    const x = [aCopy({ idempotencyKey: 'x' })]
    const [first] = await provider.send(aLetter(), same, UNSTOPPED)
    const [second] = await provider.send(aLetter(), same, UNSTOPPED)
    const both = await Promise.all([mailbox.store.deposit(aLetter(), x), mailbox.store.deposit(aLetter(), x)])
    expect(first).toMatchObject({ kind: 'accepted' })
    expect(second).toEqual(first)
    expect(both[0]).toEqual(both[1])
    expect(await messages()).toHaveLength(2)
  })

  it('of many copies answers in their order, also for those that are there already or come twice', async () => {
    const copies = (...names: string[]) =>
      names.map((name) => aCopy({ idempotencyKey: name, to: `${name}@x.test` }))
    const [a, c] = await mailbox.store.deposit(aLetter(), copies('a', 'c'))
    const ids = await mailbox.store.deposit(aLetter(), copies('d', 'c', 'b', 'd', 'a'))
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
      [keys, reversed, keys, reversed].map((some) => mailbox.store.deposit(aLetter(), some)),
    )
    expect(all[1]?.toReversed()).toEqual(all[0])
    expect(all[3]?.toReversed()).toEqual(all[2])
    expect(all[2]).toEqual(all[0])
  })

  it('that fails is in doubt, and one with a broken header is not', async () => {
    const broken = createLocalMailbox({ deposit: () => Promise.reject(new Error('away')) })
    const copies = [aCopy(), aCopy({ headers: { 'X-Note': 'a\nb' } })]
    expect(await broken.send(aLetter(), copies, UNSTOPPED)).toMatchObject([
      { kind: 'unknown' },
      { kind: 'rejected' },
    ])
  })

  it('whose report fails is never said not to have been sent: cancelled, it is unconfirmed', async () => {
    await using running = await aRunningApp()
    const ann = await aUser(running)
    await refuseReports(running.db)
    const { id } = await send(ann.browser, { recipients: ['bob@x.test'] })
    await running.mails.latest('bob@x.test')
    await act(ann.browser, id, 'cancel')
    expect((await finished(ann.browser, id)).counts).toMatchObject({ unknown: 1, cancelled: 0 })
    const [delivery] = await deliveries(ann.browser, id)
    expect(delivery?.reason).toMatch(/^The local mailbox may or may not have kept the mail/)
  })

  it('whose report fails comes again by itself, and is one mail', { tags: 'thorough' }, async () => {
    await using running = await aRunningApp()
    const ann = await aUser(running)
    const reportAgain = await refuseReports(running.db)
    const { id } = await send(ann.browser, { recipients: ['bob@x.test'] })
    await until('it is in doubt', async () => (await deliveries(ann.browser, id))[0]?.reason !== null)
    expect(await running.mails.all('bob@x.test')).toHaveLength(1)
    await reportAgain()
    expect(await finished(ann.browser, id)).toMatchObject({ counts: { accepted: 1 }, deliveredCount: 1 })
    expect(await running.mails.all('bob@x.test')).toHaveLength(1)
  })

  it('lets the oldest go when there are too many', async () => {
    const small = createLocalMailboxStore(mailbox.db, { kept: 5, pruneEvery: 2 })
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

  it('is every name beyond this machine, and whatever a proxy passes on, unless the operator opened the mailbox by name', async () => {
    const publicUrl = new URL('http://localhost:3000')
    await using closed = await createHttp({ log: createLog('silent'), publicUrl })
    localMailboxRoutes(closed, {
      store: mailbox.store,
      receiver: NO_RECEIVER,
      publicUrl,
      readers: 'this-machine',
    })
    const status = async (headers: Record<string, string>) =>
      (await closed.inject({ url: '/local-mailbox/messages', headers })).statusCode
    expect(await status({ host: 'mail.example.com' })).toBe(421)
    expect(await status({ host: '127.0.0.1:3000', 'x-forwarded-for': '203.0.113.5' })).toBe(421)
    expect(await status({ host: 'localhost:3000', forwarded: 'for=203.0.113.5' })).toBe(421)
    expect(await status({ host: 'localhost:3000', 'x-forwarded-proto': 'https' })).toBe(421)
    expect(await status({ host: 'localhost:3000' })).toBe(200)
  })

  it('is refused when there is none at all', async () => {
    const { port } = new URL(await mailbox.app.listen({ port: 0, host: '127.0.0.1' }))
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

describe('an installation with a public address and no transport', () => {
  const PUBLIC_URL = 'https://mail.example.com'
  /** As a bare `proxy_pass` of nginx passes strangers on: by the address of this machine, and without a word of it. */
  const PROXIED = { host: '127.0.0.1:3000' }

  it('shows its mailbox to nobody, not even by a proxy that hides who asks, and says what to do', async () => {
    await using running = await aRunningApp({ PUBLIC_URL })
    const [id = ''] = await createLocalMailboxStore(running.db).deposit(aLetter(), [aCopy()])
    const browser = running.browser()
    const paths = ['', '/messages', `/messages/${id}/html`, `/messages/${id}/source`, '/mailbox.js']
    for (const headers of [PROXIED, { host: 'mail.example.com' }, { host: 'localhost:3000' }]) {
      for (const path of paths)
        expect(await browser.get(`/local-mailbox${path}`, headers), path).toMatchObject(SHUT)
      expect(await browser.post(`/local-mailbox/messages/${id}/reply`, { text: 'x' }, headers)).toMatchObject(
        SHUT,
      )
    }
    expect((await browser.get('/api/instance')).json()).toMatchObject({ localMailbox: null, keepsMail: true })
  })

  it('shows it to everybody once the operator says so', async () => {
    await using running = await aRunningApp({ PUBLIC_URL, LOCAL_MAILBOX: 'on' })
    const browser = running.browser()
    for (const headers of [PROXIED, { host: 'mail.example.com' }])
      expect(await browser.get('/local-mailbox/messages', headers)).toMatchObject({ status: 200 })
    expect((await browser.get('/api/instance')).json()).toMatchObject({ localMailbox: '/local-mailbox' })
  })
})

const SHUT = {
  status: 403,
  text: 'The local mailbox is shut, since PUBLIC_URL lets others in: set SMTP_URL or RESEND_API_KEY, or LOCAL_MAILBOX=on to let everybody read it; npm run admin -- create-user and reset-password print links without mail',
}
