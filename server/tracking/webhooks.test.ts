import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, send } from '../test/campaigns.ts'
import { originOf } from '../test/inbound-webhooks.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type MailgunSimulator, startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { signedBody } from '../test/simulators/mailgun-webhooks.ts'
import { createSigner, reportOf } from '../test/simulators/sendgrid-events.ts'

const SIGNING_KEY = 'key-of-ann-0123456789abcdef'
let mailgun: MailgunSimulator
let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  mailgun = await startMailgunSimulator({ domains: ['postrider.localhost'] })
  running = await aRunningApp({ MAILGUN_BASE_URL: mailgun.url.href })
  ann = await aMailgunUser(SIGNING_KEY)
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await mailgun.close()
})

async function aMailgunUser(webhookSigningKey: string): Promise<SignedIn> {
  const user = await aUser(running)
  const answer = await user.browser.post('/api/settings', {
    provider: 'mailgun',
    fromName: 'Ann',
    fromEmail: 'ann@corp.test',
    apiKey: mailgun.apiKey,
    webhookSigningKey,
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return user
}

async function addressOf(user: SignedIn): Promise<string> {
  const { webhookUrl } = (await user.browser.get('/api/settings')).json() as Settings
  return new URL(webhookUrl ?? '').pathname
}

/** As a provider calls: from outside, no cookie, no origin of ours. */
async function call(path: string, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${await originOf(running)}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, text: await answer.text() }
}

const aReport = (mid: string, signingKey = SIGNING_KEY, now = Date.now()) =>
  signedBody(
    { event: 'delivered', id: randomUUID(), timestamp: now / 1000, 'user-variables': { mid } },
    { signingKey, now },
  )

async function aSentMail(user: SignedIn): Promise<{ id: string; mid: string }> {
  const { id } = await send(user.browser)
  await finished(user.browser, id)
  return { id, mid: `${id.replaceAll('-', '')}-1` }
}

const delivered = async (user: SignedIn, id: string) => (await detail(user.browser, id)).deliveredCount

describe('a report', () => {
  it('that is signed is taken, without cookie and from any origin', async () => {
    const { id, mid } = await aSentMail(ann)
    const answer = await call(await addressOf(ann), aReport(mid), { origin: 'https://mailgun.test' })
    expect(answer).toMatchObject({ status: 200, text: 'ok' })
    expect(await delivered(ann, id)).toBe(1)
  })

  it('that the provider took a mail and did not send it is told as that, not as a bounce, in every list', async () => {
    const { id, mid } = await aSentMail(ann)
    const report = aReport(mid).replace(
      '"event":"delivered"',
      '"event":"rejected","reject":{"reason":"Over quota"}',
    )
    expect((await call(await addressOf(ann), report)).status).toBe(200)
    const reason = 'Not sent by the provider: Over quota'
    expect(await deliveries(ann.browser, id)).toMatchObject([{ state: 'accepted', reason, isUnsent: true }])
    const { text } = await ann.browser.get(`/api/email-history/${id}/deliveries.csv`)
    expect(text).toContain(`,accepted,${reason},`)
  })

  it.each([
    ['without a body', () => ''],
    ['that is no JSON', () => '{'],
    [
      'without a signature',
      (mid: string) => JSON.stringify({ 'event-data': { event: 'delivered', 'user-variables': { mid } } }),
    ],
    [
      'with an empty signature',
      (mid: string) => aReport(mid).replace(/"signature":"[0-9a-f]+"/, '"signature":""'),
    ],
    ['signed by another key', (mid: string) => aReport(mid, 'another-key-0123456789')],
    ['from ten hours ago', (mid: string) => aReport(mid, SIGNING_KEY, Date.now() - 36_000_000)],
    ['from the future', (mid: string) => aReport(mid, SIGNING_KEY, Date.now() + 600_000)],
  ])('%s is refused, and has no effect', async (_, body) => {
    const { id, mid } = await aSentMail(ann)
    const answer = await call(await addressOf(ann), body(mid))
    expect(answer.status).toBe(401)
    expect(answer.text).toMatch(/^[A-Z][^\r\n]{10,}$/)
    expect(await delivered(ann, id)).toBe(0)
  })

  it('by one user’s key at another’s address is refused', async () => {
    const eve = await aMailgunUser('key-of-eve-0123456789abcdef')
    const { id, mid } = await aSentMail(ann)
    expect((await call(await addressOf(ann), aReport(mid, 'key-of-eve-0123456789abcdef'))).status).toBe(401)
    // Rightly signed at her own address, but about a mail that is not hers: taken, and without effect.
    expect((await call(await addressOf(eve), aReport(mid, 'key-of-eve-0123456789abcdef'))).status).toBe(200)
    expect(await delivered(ann, id)).toBe(0)
  })

  it('about a mail that the product’s own account carried is none of a user’s provider', async () => {
    const user = await aUser(running)
    const { id, mid } = await aSentMail(user)
    const body = {
      provider: 'mailgun',
      fromName: '',
      fromEmail: '',
      apiKey: 'k',
      webhookSigningKey: SIGNING_KEY,
    }
    await user.browser.post('/api/settings', body)
    const complaint = aReport(mid).replace('"event":"delivered"', '"event":"complained"')
    expect((await call(await addressOf(user), complaint)).status).toBe(200)
    expect(await detail(user.browser, id)).toMatchObject({ complainedCount: 0 })
  })

  it('to an address that nobody has is refused like a forged one', async () => {
    const own = await addressOf(ann)
    const other = own.slice(0, -1) + (own.endsWith('A') ? 'B' : 'A')
    for (const path of [other, '/api/webhooks/mailgun/x', `${own}=`, own.replace('mailgun', 'sendgrid')])
      expect((await call(path, aReport('x'))).status).toBe(401)
    expect((await call(own.replace('mailgun', 'pigeon'), aReport('x'))).status).toBe(404)
  })

  it('is refused where no key was stored: nothing could prove it', async () => {
    const bob = await aUser(running)
    const signer = createSigner()
    const body = { provider: 'sendgrid', fromName: '', fromEmail: '', apiKey: 'SG.x' }
    await bob.browser.post('/api/settings', body)
    const report = reportOf([{ event: 'delivered', email: 'a@x.test' }])
    const headers = signer.headersFor(report, Date.now())
    expect((await call(await addressOf(bob), report.toString('utf8'), headers)).status).toBe(401)
    await bob.browser.post('/api/settings', { ...body, webhookSigningKey: signer.publicKey })
    expect((await call(await addressOf(bob), report.toString('utf8'), headers)).status).toBe(200)
    // The same bytes with other spaces are other bytes.
    const again = JSON.stringify(JSON.parse(report.toString('utf8')), null, 1)
    expect((await call(await addressOf(bob), again, headers)).status).toBe(401)
  })

  it('of the product’s own account is refused while the operator has set no secret', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const body = '{"type":"email.delivered","data":{"tags":{"mid":"x"}}}'
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64')
    const headers = { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
    expect((await call('/api/webhooks/resend/product', body, headers)).status).toBe(401)
  })

  it('of more than four megabytes is refused before it is read', async () => {
    expect((await call(await addressOf(ann), 'x'.repeat(5_000_000))).status).toBe(413)
  })

  it('leaves neither its address nor its body in the log', async () => {
    const { mid } = await aSentMail(ann)
    const path = await addressOf(ann)
    await call(path, aReport(mid))
    await call(path, aReport(mid, 'wrong-key-0123456789'))
    const token = path.split('/').at(-1) ?? ''
    for (const secret of [token, SIGNING_KEY, mid, mailgun.apiKey])
      expect(running.logged()).not.toContain(secret)
  })
})
