import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { signedIn } from '../test/accounts.ts'
import type { Browser } from '../test/browser.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aReceivingUser, arrived, originOf, stored } from '../test/inbound-webhooks.ts'
import { INBOX_ENV } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { routeCall } from '../test/simulators/mailgun-route.ts'
import { signedBody } from '../test/simulators/mailgun-webhooks.ts'

const LOST = 'the key that was lost together with its disk'
const ACCEPTED = 'the key that was accepted in place of the lost one'
const SIGNING_KEY = 'key-of-ann-0123456789abcdef'
const TYPED = { provider: 'mailgun', fromName: '', fromEmail: '', apiKey: 'key-x' }
const RELAY = { smtpHost: 'relay.example.com', smtpUser: 'bob', smtpPassword: 'hunter2 of the relay' }

let database: TestDatabase
let running: RunningApp
let ann: { userId: string; browser: Browser }
let bob: Browser
beforeAll(async () => {
  database = await freshDatabase()
  const before = await aRunningApp(INBOX_ENV, { database, masterKey: LOST })
  const first = await aReceivingUser(before, 'mailgun', SIGNING_KEY)
  const second = await aReceivingUser(before, 'mailgun')
  const relay = { provider: 'smtp', fromName: '', fromEmail: '', ...RELAY }
  expect(await second.browser.post('/api/settings', relay)).toMatchObject({ status: 200 })
  expect(await settingsOf(first.browser)).toMatchObject({ hasApiKey: true, hasWebhookSigningKey: true })
  expect(await settingsOf(second.browser)).toMatchObject({ hasSmtpPassword: true })
  await before[Symbol.asyncDispose]()
  running = await aRunningApp(INBOX_ENV, { database, masterKey: ACCEPTED })
  ann = { userId: first.userId, browser: await signedIn(running, first.userId) }
  bob = await signedIn(running, second.userId)
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const settingsOf = async (browser: Browser) => (await browser.get('/api/settings')).json() as Settings

/** As Mailgun calls: a report to one address, a mail to the other. */
async function mailgunCalls(): Promise<{ status: number; text: string }[]> {
  const { webhookUrl, inboundUrl } = await settingsOf(ann.browser)
  const now = Date.now()
  const event = { event: 'delivered', id: randomUUID(), timestamp: now / 1000 }
  const report = {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(signedBody(event, { signingKey: SIGNING_KEY, now })),
  }
  const mail = routeCall(arrived(['a@corp.test']), {
    signingKey: SIGNING_KEY,
    at: now,
    token: randomUUID().repeat(2).slice(0, 50),
  })
  const answers = []
  for (const [url, { headers, body }] of [
    [webhookUrl, report],
    [inboundUrl, mail],
  ] as const) {
    const { pathname } = new URL(url ?? '')
    const answer = await fetch(`${await originOf(running)}${pathname}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    answers.push({ status: answer.status, text: await answer.text() })
  }
  return answers
}

it('what a lost key sealed does not pass for stored: Settings ask for it again', async () => {
  expect(await settingsOf(ann.browser)).toMatchObject({ hasApiKey: false, hasWebhookSigningKey: false })
  expect(await settingsOf(bob)).toMatchObject({
    ...{ smtpHost: RELAY.smtpHost, smtpUser: RELAY.smtpUser },
    hasSmtpPassword: false,
  })
})

it('reports and received mail that a lost key would prove come again, and are taken once it is typed', async () => {
  const later = { status: 503, text: expect.stringMatching(/^The signing key .* try again$/) }
  expect(await mailgunCalls()).toEqual([later, later])
  expect(await mailgunCalls()).toEqual([later, later])
  expect(running.logged().match(/the webhook signing key of a user cannot be opened/g)).toHaveLength(1)
  expect(await stored(running, ann)).toEqual([])

  const saved = await ann.browser.post('/api/settings', { ...TYPED, webhookSigningKey: SIGNING_KEY })
  expect(saved).toMatchObject({ status: 200 })
  expect(await settingsOf(ann.browser)).toMatchObject({ hasApiKey: true, hasWebhookSigningKey: true })
  expect(await mailgunCalls()).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(await stored(running, ann)).toHaveLength(1)
})

it('a key that was never stored still proves nothing', async () => {
  await running.db.deleteFrom('webhook_keys').where('user_id', '=', ann.userId).execute()
  expect(await mailgunCalls()).toMatchObject([{ status: 401 }, { status: 401 }])
})
