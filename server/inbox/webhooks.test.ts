import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { aWayTo, type DatabaseWay } from '../test/database-way.ts'
import { multipartType } from '../test/form-body.ts'
import {
  ALL_BYTES,
  aReceivingUser,
  arrived,
  originOf,
  post,
  type ReceivingUser,
  stored,
} from '../test/inbound-webhooks.ts'
import { aMail, deliver, INBOX_ENV, open, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import type { MailInPieces } from '../test/simulators/brought-mail.ts'
import { createSigner } from '../test/simulators/sendgrid-events.ts'
import { bringBySendgrid, parseForm, signedParse } from '../test/simulators/sendgrid-parse.ts'
import { until } from '../test/until.ts'

/** What all providers' webhooks have in common, shown by SendGrid's, which brings whole mails and signs all of them. */
const signer = createSigner()
const stranger = createSigner()
const HOUR_MS = 3_600_000
let way: DatabaseWay
let running: RunningApp
let ann: ReceivingUser
beforeAll(async () => {
  way = await aWayTo(inject('postgres').url)
  running = await aRunningApp(INBOX_ENV, { databaseUrl: way.url })
  ann = await aReceivingUser(running, 'sendgrid', signer.publicKey)
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await way[Symbol.asyncDispose]()
})

describe('a mail that SendGrid brings', () => {
  it('is stored byte for byte, with its envelope, and shown', async () => {
    const raw = Buffer.concat([
      Buffer.from('From: Bob <bob@example.com>\r\nSubject: Bytes\r\nContent-Type: application/x-any\r\n'),
      Buffer.from(
        'Content-Disposition: attachment; filename="all.bin"\r\nContent-Transfer-Encoding: binary\r\n\r\n',
      ),
      ALL_BYTES,
      randomBytes(50_000),
    ])
    expect(
      await bringBySendgrid(ann.url, { raw, from: 'bounce@example.com', to: ['a@corp.test'] }, signer),
    ).toEqual([200])
    const [mail] = await stored(running, ann)
    expect(mail).toMatchObject({ from: 'bounce@example.com', to: 'a@corp.test' })
    expect(mail?.raw.equals(raw)).toBe(true)
    expect(await received(running, ann)).toMatchObject([
      { from: { name: 'Bob', email: 'bob@example.com' }, subject: 'Bytes', attachmentCount: 1 },
    ])
  })

  it('of several megabytes arrives whole; one beyond 35 MB is refused, told or not', {
    tags: 'thorough',
  }, async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const large = { ...arrived([user.address]), raw: Buffer.alloc(3_000_001, 'Subject: large\r\n\r\n') }
    expect(await bringBySendgrid(user.url, large, signer)).toEqual([200])
    expect((await stored(running, user))[0]?.raw.equals(large.raw)).toBe(true)

    const told = request(user.url, { method: 'POST', headers: { 'content-length': '35000001' } })
    told.flushHeaders()
    const [answer] = (await once(told, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(413)
    told.on('error', () => {}).destroy()
    const endless = new ReadableStream({ pull: (more) => more.enqueue(new Uint8Array(1_000_000)) })
    const untold = fetch(user.url, { method: 'POST', body: endless, duplex: 'half' } as RequestInit)
    // It may be cut off before it has heard the answer.
    expect(await untold.then(({ status }) => status).catch(() => 413)).toBe(413)
    expect(await stored(running, user)).toHaveLength(1)
  })

  it('is one, however often and by whichever ways it comes at once', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const mail = { ...arrived([user.address]), raw: Buffer.from(aMail()) }
    // On its way each server has written its own lines above it.
    const way = (n: number) => Buffer.concat([Buffer.from(`Received: from mx${n}.test\n`), mail.raw])
    const ways = Array.from({ length: 10 }, (_, n) => [
      bringBySendgrid(user.url, { ...mail, raw: way(n) }, signer).then(([status]) => status),
      deliver(port, user.address, way(n + 10).toString('utf8')).then(() => 250),
    ]).flat()
    expect(new Set(await Promise.all(ways))).toEqual(new Set([200, 250]))
    expect(await stored(running, user)).toHaveLength(1)
  })

  it('in pieces is put together: texts in their own charset, files, and what it answers', {
    tags: 'thorough',
  }, async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const pieces: MailInPieces = {
      from: 'bob@example.com',
      to: [user.address],
      headers: [
        ['From', 'Bób <bob@example.com>'],
        ['Subject', 'In pieces'],
        ['Message-ID', '<pieces@example.com>'],
        ['Content-Type', 'multipart/mixed; boundary=gone'],
      ],
      text: Buffer.from('Gr\xfc\xdfe', 'latin1'),
      html: Buffer.from('<p>Grüße <img src="cid:dot"></p>'),
      attachments: [
        { name: 'ä b.bin', type: 'application/x-any', content: ALL_BYTES },
        { name: 'dot.png', type: 'image/png', content: Buffer.from('png'), contentId: 'dot' },
      ],
    }
    expect(await bringBySendgrid(user.url, pieces, signer)).toEqual([200])
    expect(await bringBySendgrid(user.url, pieces, signer)).toEqual([200])
    const [item, ...others] = await received(running, user)
    expect(others).toEqual([])
    if (!item) throw new Error('no mail')
    expect(item).toMatchObject({ from: { name: 'Bób' }, subject: 'In pieces' })
    const message = await open(user.browser, item)
    expect(message.text?.trim()).toBe('Grüße')
    expect(message.html).toContain('Grüße')
    expect(message.attachments[0]).toMatchObject({ name: 'ä b.bin', size: 256 })
    const path = `/api/inbox/message/${item.inboxId}/${item.messageId}/attachments/0`
    expect((await user.browser.get(path)).status).toBe(200)
  })

  it('is kept as it came where its form is none, and never refused', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const calls = [Buffer.from('no form at all'), Buffer.alloc(0), parseForm(arrived([])).subarray(0, -20)]
    for (const body of calls) expect(await post(user.url, signedParse(body, signer))).toBe(200)
    const items = await received(running, user)
    expect(items).toHaveLength(3)
    for (const item of items)
      expect(item).toMatchObject({
        subject: 'An email from SendGrid that could not be read',
        attachmentCount: 1,
      })
  })

  it('is asked for again while the database is away, and stored then', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const mail = arrived([user.address])
    way.behave('refuse')
    expect(await post(user.url, signedParse(parseForm(mail), signer))).toBe(503)
    way.behave('pass')
    await until('the mail is taken', async () =>
      (await bringBySendgrid(user.url, mail, signer)).includes(200),
    )
    expect(await stored(running, user)).toMatchObject([{ raw: mail.raw }])
  })
})

describe('a mail that is signed in another hour', () => {
  const body = parseForm(arrived(['x@corp.test']))
  const signedAt = (user: ReceivingUser, hours: number) =>
    post(user.url, signedParse(body, signer, Date.now() + hours * HOUR_MS))

  it('is taken, once: refused, it would be lost for good because our clock is wrong', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    for (const hours of [-0.1, 0.1, -72, 72]) expect(await signedAt(user, hours)).toBe(200)
    expect(await stored(running, user)).toHaveLength(1)
  })

  it('is asked for again where that is days away, and the log says why', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    for (const hours of [-74, 74]) expect(await signedAt(user, hours)).toBe(503)
    expect(await stored(running, user)).toEqual([])
    expect(running.logged()).toContain('check the clock of this server')
  })
})

describe('a call is refused with 401, and has no effect,', () => {
  const mail = arrived(['x@corp.test'])
  const body = parseForm(mail)
  const changed = (headers: Record<string, string>) => {
    const call = signedParse(body, signer)
    return { body, headers: { ...call.headers, ...headers } }
  }
  const SIGNATURE = 'x-twilio-email-event-webhook-signature'

  it.each([
    ['without a signature', () => ({ body, headers: { 'content-type': multipartType() } })],
    ['with an empty one', () => changed({ [SIGNATURE]: '' })],
    ['signed by a stranger', () => signedParse(body, stranger)],
    ['signed by a stranger, long ago', () => signedParse(body, stranger, Date.now() - 100 * HOUR_MS)],
    [
      'written anew with the same meaning',
      () => ({ ...signedParse(body, signer), body: Buffer.concat([body, Buffer.from('\r\n')]) }),
    ],
    [
      'with another mail',
      () => ({ ...signedParse(body, signer), body: parseForm(arrived(['x@corp.test'], { Subject: 'No' })) }),
    ],
    ['without a body', () => ({ ...signedParse(body, signer), body: Buffer.alloc(0) })],
  ])('%s', async (_, call) => {
    const before = await stored(running, ann)
    expect(await post(ann.url, call())).toBe(401)
    expect(await stored(running, ann)).toEqual(before)
  })

  it('to an address that is nobody’s, of another provider, or has no key', async () => {
    const token = ann.url.pathname.split('/').at(-1) ?? ''
    const origin = await originOf(running)
    const call = signedParse(body, signer)
    const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const path of [
      `sendgrid/${other}`,
      `mailgun/${token}`,
      `mailgun/${token}/mime`,
      `ses/${token}`,
      'resend/product',
      `resend/${token}`,
      'sendgrid/product',
      'sendgrid/x',
    ])
      expect(await post(`${origin}/api/inbound/${path}`, call)).toBe(401)
    expect(await post(`${origin}/api/inbound/pigeon/${token}`, call)).toBe(404)
    expect(await post(`${origin}/api/inbound/sendgrid/${token}/mime`, call)).toBe(403)
    const keyless = await aReceivingUser(running, 'sendgrid')
    expect(await post(keyless.url, call)).toBe(401)
    expect(await stored(running, keyless)).toEqual([])
  })

  it('by the key of another user', async () => {
    const eve = await aReceivingUser(running, 'sendgrid', stranger.publicKey)
    const before = await stored(running, ann)
    expect(await post(ann.url, signedParse(body, stranger))).toBe(401)
    expect(await stored(running, ann)).toEqual(before)
    expect(await post(eve.url, signedParse(body, signer))).toBe(401)
    expect(await stored(running, eve)).toEqual([])
  })

  it('leaving neither its address nor its mail in the log', async () => {
    await post(ann.url, signedParse(body, stranger))
    const token = ann.url.pathname.split('/').at(-1) ?? ''
    for (const secret of [token, signer.publicKey, 'x@corp.test', 'bob@example.com'])
      expect(running.logged()).not.toContain(secret)
  })
})
