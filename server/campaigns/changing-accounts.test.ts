import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { act, detail, finished, recipients, send } from '../test/campaigns.ts'
import { freePort } from '../test/free-port.ts'
import { originOf, post } from '../test/inbound-webhooks.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { signedBody } from '../test/simulators/mailgun-webhooks.ts'
import { startSendgridSimulator } from '../test/simulators/sendgrid.ts'
import { startSesSimulator } from '../test/simulators/ses.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { until } from '../test/until.ts'

const SENDER = { fromName: 'Ann', fromEmail: 'ann@corp.test' }
const OWN_DOMAIN = { domain: 'postrider.localhost', valid: true }

async function save(user: SignedIn, settings: Record<string, unknown>): Promise<void> {
  const answer = await user.browser.post('/api/settings', { ...SENDER, ...settings })
  if (answer.status !== 200) throw new Error(`settings answered ${answer.status}: ${answer.text}`)
}

it('a relay that was out of order, and then replaced, does not hold up what is sent by the new one', {
  tags: 'thorough',
}, async () => {
  const relay = await startSmtpSimulator()
  await using running = await aRunningApp({ ALLOW_PRIVATE_HOSTS: 'localhost' })
  const ann = await aUser(running)
  await save(ann, { provider: 'smtp', smtpHost: 'localhost', smtpPort: await freePort() })
  const first = await send(ann.browser, { recipients: recipients(10) })
  await until('the outage is seen', async () => (await detail(ann.browser, first.id)).state === 'paused')
  await act(ann.browser, first.id, 'cancel')
  await finished(ann.browser, first.id)
  await save(ann, { provider: 'smtp', smtpHost: 'localhost', smtpPort: Number(relay.url.port) })
  const second = await send(ann.browser, { recipients: ['bob@example.test'] })
  expect((await finished(ann.browser, second.id, 30_000)).counts).toMatchObject({ accepted: 1 })
  await relay.close()
})

it('what was to leave by a user’s own account never leaves by the product’s, and says why it waits', async () => {
  const product = await startSmtpSimulator()
  await using running = await aRunningApp({
    ALLOW_PRIVATE_HOSTS: 'localhost',
    SMTP_URL: product.url.href,
    MAIL_FROM: 'mail@product.test',
  })
  const eve = await aUser(running)
  const own = { provider: 'smtp', smtpHost: 'localhost', smtpPort: await freePort() }
  await save(eve, { ...own, fromName: 'The CEO', fromEmail: 'ceo@bank.test', sendFromOwnAddress: true })
  const { id } = await send(eve.browser, { recipients: ['victim@example.test'] })
  await save(eve, { provider: 'resend' })
  await until('the campaign says why it waits', async () =>
    /removed/.test((await detail(eve.browser, id)).pausedReason ?? ''),
  )
  expect(product.ledger).toEqual([])
  await act(eve.browser, id, 'cancel')
  expect((await finished(eve.browser, id)).counts).toMatchObject({ cancelled: 1 })
  await product.close()
})

it('saving another name does not end the wait that a provider asked for', { tags: 'thorough' }, async () => {
  const sendgrid = await startSendgridSimulator({ domains: [OWN_DOMAIN] })
  await using running = await aRunningApp({ SENDGRID_BASE_URL: sendgrid.url.href })
  const ann = await aUser(running)
  const settings = { provider: 'sendgrid', apiKey: sendgrid.apiKey }
  await save(ann, settings)
  const calledAt: number[] = []
  sendgrid.lieBy((call) => {
    calledAt.push(performance.now())
    return call === 1 ? { kind: 'rate-limit', retryAfter: 4 } : null
  })
  const { id } = await send(ann.browser)
  await until('the provider has asked to wait', async () => calledAt.length === 1)
  await save(ann, { provider: 'sendgrid', fromName: 'Ann B.' })
  await finished(ann.browser, id)
  const [first = 0, second = 0] = calledAt
  expect(second - first).toBeGreaterThan(2_900)
  await sendgrid.close()
})

it('a bad address that a slow provider does not name is found, and everybody else gets the mail', {
  tags: 'thorough',
}, async () => {
  const ses = await startSesSimulator({ badAddresses: 'refuse-call' })
  ses.lieBy(() => ({ kind: 'delay', ms: 250 }))
  await using running = await aRunningApp({ SES_BASE_URL: ses.url.href })
  const ann = await aUser(running)
  await save(ann, { provider: 'ses', apiKey: ses.accessKeyId, smtpPassword: ses.secretAccessKey })
  const people = recipients(50)
  const { id } = await send(ann.browser, { recipients: ['nobody@nowhere', ...people.slice(1)] })
  const { counts } = await finished(ann.browser, id, 45_000)
  expect(counts).toMatchObject({ accepted: 49, failed: 1, unknown: 0 })
  await ses.close()
})

it('a second story under a token that was used has no effect', async () => {
  const signingKey = 'key-of-ann-0123456789abcdef'
  const mailgun = await startMailgunSimulator({ domains: ['postrider.localhost'] })
  await using running = await aRunningApp({ MAILGUN_BASE_URL: mailgun.url.href })
  const ann = await aUser(running)
  await save(ann, { provider: 'mailgun', apiKey: mailgun.apiKey, webhookSigningKey: signingKey })
  const { id } = await send(ann.browser, { recipients: recipients(3) })
  await finished(ann.browser, id)
  const { webhookUrl } = (await ann.browser.get('/api/settings')).json() as Settings
  const mid = (seq: number) => `${id.replaceAll('-', '')}-${seq}`
  const honest = JSON.parse(
    signedBody(
      {
        event: 'delivered',
        id: randomUUID(),
        timestamp: Date.now() / 1000,
        'user-variables': { mid: mid(1) },
      },
      { signingKey, now: Date.now() },
    ),
  )
  const url = new URL(new URL(webhookUrl ?? '').pathname, await originOf(running))
  const report = (payload: unknown) => post(url, { headers: {}, body: Buffer.from(JSON.stringify(payload)) })
  expect(await report(honest)).toBe(200)
  for (const seq of [1, 2, 3]) {
    const invented = {
      event: 'complained',
      timestamp: Date.now() / 1000,
      'user-variables': { mid: mid(seq) },
    }
    await report({ ...honest, 'event-data': invented })
  }
  expect(await detail(ann.browser, id)).toMatchObject({ deliveredCount: 1, complainedCount: 0 })
  await mailgun.close()
})

it('of two saves at the same moment neither is lost', async () => {
  await using running = await aRunningApp({})
  const ann = await aUser(running)
  for (let round = 0; round < 10; round++) {
    await save(ann, { provider: 'sendgrid', apiKey: 'SG.first' })
    await Promise.all([
      save(ann, { provider: 'mailgun', apiKey: `key-${round}` }),
      ann.browser.post('/api/settings', { fromName: 'Ann C.', fromEmail: 'ann@corp.test' }),
    ])
    expect((await ann.browser.get('/api/settings')).json()).toMatchObject({ provider: 'mailgun' })
  }
})
