import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxSummary } from '../../contract/inbox.ts'
import { anAddress, aUser } from '../test/accounts.ts'
import { deliveries, finished, send } from '../test/campaigns.ts'
import { ALL_BYTES, arrived, originOf, post, stored } from '../test/inbound-webhooks.ts'
import { aMail, anOwner, INBOX_DOMAIN, INBOX_ENV, open, received } from '../test/inbox.ts'
import { inOneDay } from '../test/one-day.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import type { ArrivedMail } from '../test/simulators/brought-mail.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'

const ANOTHER_SECRET = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
let resend: ResendSimulator
let running: RunningApp
let webhook: URL
beforeAll(async () => {
  await inOneDay()
  resend = await startResendSimulator()
  running = await aRunningApp({
    ...INBOX_ENV,
    RESEND_API_KEY: resend.apiKey,
    RESEND_BASE_URL: resend.url.href,
    // Each webhook at Resend has a secret of its own.
    RESEND_WEBHOOK_SECRET: `${ANOTHER_SECRET}, ${resend.receiving.secret}`,
    ALLOW_PRIVATE_HOSTS: 'localhost',
  })
  webhook = new URL('/api/inbound/resend/product', await originOf(running))
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await resend.close()
})

describe('a mail that Resend tells of', () => {
  it('is fetched, and stored byte for byte in each inbox that it is for', async () => {
    const [ann, eve, other] = [await anOwner(running), await anOwner(running), await anOwner(running)]
    const mail = arrived([ann.address, eve.address.toUpperCase(), `nobody@${INBOX_DOMAIN}`, 'x@example.com'])
    expect(await resend.receiving.receive(mail, webhook)).toEqual([200])
    expect(await stored(running, ann)).toMatchObject([
      { raw: mail.raw, from: 'bob@example.com', to: ann.address },
    ])
    expect(await stored(running, eve)).toMatchObject([{ raw: mail.raw }])
    expect(await stored(running, other)).toEqual([])
  })

  it('comes to everybody here, however many others it is for', async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    const others = Array.from({ length: 150 }, (_, n) => [`u${n}@example.com`, `nobody${n}@${INBOX_DOMAIN}`])
    const mail = arrived([ann.address, ...others.flat(), eve.address])
    expect(await resend.receiving.receive(mail, webhook)).toEqual([200])
    for (const owner of [ann, eve]) expect(await stored(running, owner)).toMatchObject([{ raw: mail.raw }])
  })

  it('is one however often it is told of', async () => {
    const ann = await anOwner(running)
    const mail = arrived([ann.address])
    const tries = await Promise.all(Array.from({ length: 10 }, () => resend.receiving.receive(mail, webhook)))
    for (const statuses of tries) expect(statuses.at(-1)).toBe(200)
    expect(await stored(running, ann)).toHaveLength(1)
  })

  it.each([
    ['full', 1_000_000_001],
    ['nearly full', 1_000_000_000],
  ])(
    'is stored for all others where one inbox is %s, and for that one when there is room',
    async (_, bytes) => {
      const [ann, eve] = [await anOwner(running), await anOwner(running)]
      await sql`insert into inbox_days (inbox_id, day, messages, bytes)
      select id, floor(extract(epoch from now()) / 86400), 0, ${bytes}::bigint from inboxes
      where user_id = ${ann.userId}`.execute(running.db)
      const mail = arrived([ann.address, eve.address])
      expect(new Set(await resend.receiving.receive(mail, webhook))).toEqual(new Set([503]))
      expect(await stored(running, ann)).toEqual([])
      expect(await stored(running, eve)).toMatchObject([{ raw: mail.raw }])
      await sql`delete from inbox_days`.execute(running.db)
      expect(await resend.receiving.receive(mail, webhook)).toEqual([200])
      for (const owner of [ann, eve]) expect(await stored(running, owner)).toMatchObject([{ raw: mail.raw }])
    },
  )

  it('is not fetched where nobody here wants it', async () => {
    const before = resend.receiving.visits.length
    expect(
      await resend.receiving.receive(arrived([`nobody@${INBOX_DOMAIN}`, 'x@example.com']), webhook),
    ).toEqual([200])
    expect(resend.receiving.visits).toHaveLength(before)
  })

  it('comes again while it cannot be had, and is told of in the log', async () => {
    const ann = await anOwner(running)
    resend.receiving.failNext(
      { at: 'question', status: 429 },
      { at: 'download', status: 503 },
      { at: 'question', status: 404 },
    )
    expect(await resend.receiving.receive(arrived([ann.address]), webhook)).toEqual([502, 502, 502, 200])
    expect(await stored(running, ann)).toHaveLength(1)
    expect(running.logged()).toContain('Resend answered 429: Something went wrong')
    expect(running.logged()).not.toContain('signature=x')
    expect(running.logged()).not.toContain(resend.apiKey)
  })

  it('is not looked for in a private place', async () => {
    const ann = await anOwner(running)
    let visits = 0
    const inner = createServer((_, response) => {
      visits += 1
      response.end('Subject: secret\n\n')
    }).listen(0, '127.0.0.1')
    await once(inner, 'listening')
    const { port } = inner.address() as AddressInfo
    const redirect = `http://127.0.0.1:${port}/`
    const secure = `https://127.0.0.1:${port}/`
    resend.receiving.failNext({ at: 'download', redirect }, { at: 'download', redirect: secure })
    expect(await resend.receiving.receive(arrived([ann.address]), webhook)).toEqual([502, 502, 200])
    expect(visits).toBe(0)
    inner.close()
  })

  it('that is larger than 25 MB is left where it is, and told of to its owner', async () => {
    const ann = await anOwner(running)
    resend.receiving.failNext({ at: 'download', told: 25_000_001 })
    expect(await resend.receiving.receive(arrived([ann.address]), webhook)).toEqual([200])
    expect(await stored(running, ann)).toEqual([])
    const { missed } = (await ann.browser.get('/api/inbox/summary')).json() as InboxSummary
    expect(missed).toMatchObject([{ reason: 'too-large' }])
  })

  it('that is not kept as it came is put together from its pieces', async () => {
    const ann = await anOwner(running)
    resend.receiving.onlyInPieces({
      headers: { from: 'Bob <bob@example.com>', subject: 'Grüße', 'content-type': 'text/plain' },
      text: 'Grüße',
      html: '<p>Grüße</p>',
      attachments: [
        { filename: 'all.bin', content_type: 'application/x-any', content_id: null, content: ALL_BYTES },
      ],
    })
    expect(await resend.receiving.receive(arrived([ann.address]), webhook)).toEqual([200])
    resend.receiving.onlyInPieces(null)
    const [item] = await received(running, ann)
    if (!item) throw new Error('no mail')
    expect(item).toMatchObject({ subject: 'Grüße', from: { name: 'Bob' }, preview: 'Grüße' })
    expect(await open(ann.browser, item)).toMatchObject({ attachments: [{ name: 'all.bin', size: 256 }] })
  })

  it('in pieces has all its attachments, however many lists Resend makes of them', async () => {
    const ann = await anOwner(running)
    const attachments = Array.from({ length: 201 }, (_, n) => ({
      ...{ filename: `${n}.txt`, content_type: 'text/plain', content_id: null },
      content: Buffer.from(`file ${n}`),
    }))
    resend.receiving.onlyInPieces({ headers: { subject: 'Many' }, text: 'Many', html: null, attachments })
    expect(await resend.receiving.receive(arrived([ann.address]), webhook)).toEqual([200])
    resend.receiving.onlyInPieces(null)
    const [mail] = await stored(running, ann)
    const names = [...(mail?.raw.toString().matchAll(/filename="?(\d+\.txt)/g) ?? [])].map(([, name]) => name)
    expect(names).toEqual(attachments.map(({ filename }) => filename))
  })

  it('to the return path of a delivery is a report about it', async () => {
    const relay = await startSmtpSimulator()
    const ann = await aUser(running)
    const smtp = { provider: 'smtp', smtpHost: 'localhost', smtpPort: Number(relay.url.port) }
    await ann.browser.post('/api/settings', { ...smtp, fromName: 'Ann', fromEmail: 'ann@corp.test' })
    const bob = anAddress('bob')
    const { id } = await send(ann.browser, { recipients: [bob] })
    await finished(ann.browser, id)
    const path = relay.ledger.findLast((mail) => mail.to.includes(bob))?.from ?? ''
    const report = aMail(
      { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=x' },
      '--x\n\nUnknown\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; bob@x.test\nAction: failed\nStatus: 5.1.1\n--x--',
    )
    const mail = { raw: Buffer.from(report), from: 'mailer-daemon@mx.test', to: [path] }
    expect(await resend.receiving.receive(mail, webhook)).toEqual([200])
    expect(await deliveries(ann.browser, id)).toMatchObject([{ address: bob, bouncedAt: expect.any(String) }])
    await relay.close()
  })
})

describe('a call in the name of Resend', () => {
  it.each([
    [
      'signed by a stranger',
      (mail: ArrivedMail) => resend.receiving.notice(mail, { secret: `whsec_${'B'.repeat(32)}` }),
    ],
    ['that is old', (mail: ArrivedMail) => resend.receiving.notice(mail, { at: Date.now() - 301_000 })],
    ['of a time to come', (mail: ArrivedMail) => resend.receiving.notice(mail, { at: Date.now() + 301_000 })],
    [
      'written anew with the same meaning',
      (mail: ArrivedMail) => {
        const call = resend.receiving.notice(mail)
        return { ...call, body: Buffer.from(JSON.stringify(JSON.parse(call.body.toString()), null, 1)) }
      },
    ],
    ['without a signature', (mail: ArrivedMail) => ({ ...resend.receiving.notice(mail), headers: {} })],
  ])('%s is refused, and nothing is fetched', async (_, call) => {
    const ann = await anOwner(running)
    const before = resend.receiving.visits.length
    expect(await post(webhook, call(arrived([ann.address])))).toBe(401)
    expect(await stored(running, ann)).toEqual([])
    expect(resend.receiving.visits).toHaveLength(before)
  })

  it('about anything else than a received mail is taken, and changes nothing', async () => {
    const ann = await anOwner(running)
    const before = resend.receiving.visits.length
    for (const change of [
      { type: 'email.delivered' },
      { type: 'email.received', data: { email_id: '../domains', to: [ann.address] } },
      { type: 'email.received', data: null },
      [],
    ]) {
      const body = Buffer.from(JSON.stringify(change))
      expect(await post(webhook, resend.receiving.signed(body))).toBe(200)
    }
    expect(resend.receiving.visits).toHaveLength(before)
  })

  it('is refused at any other address', async () => {
    const ann = await anOwner(running)
    for (const token of ['x', 'Product', 'product%20', 'a'.repeat(43)])
      expect(await post(new URL(token, webhook), resend.receiving.notice(arrived([ann.address])))).toBe(401)
    expect(await stored(running, ann)).toEqual([])
  })
})
