import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { aUser } from '../test/accounts.ts'
import { detail, finished, send } from '../test/campaigns.ts'
import { aWayTo, type DatabaseWay } from '../test/database-way.ts'
import { originOf, post } from '../test/inbound-webhooks.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type MailgunSimulator, startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { signedBody } from '../test/simulators/mailgun-webhooks.ts'
import { until } from '../test/until.ts'

const SIGNING_KEY = 'key-of-ann-0123456789abcdef'
const HOUR_MS = 3600_000
let way: DatabaseWay
let mailgun: MailgunSimulator
let running: RunningApp
beforeAll(async () => {
  way = await aWayTo(inject('postgres').url)
  mailgun = await startMailgunSimulator({ domains: ['postrider.localhost'] })
  running = await aRunningApp({ MAILGUN_BASE_URL: mailgun.url.href }, { databaseUrl: way.url })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await mailgun.close()
  await way[Symbol.asyncDispose]()
})

/** Somebody who has sent a mail by Mailgun, and the address to which Mailgun reports of it. */
async function aSender() {
  const user = await aUser(running)
  const answer = await user.browser.post('/api/settings', {
    provider: 'mailgun',
    fromName: 'Ann',
    fromEmail: 'ann@corp.test',
    apiKey: mailgun.apiKey,
    webhookSigningKey: SIGNING_KEY,
  })
  if (answer.status !== 200) throw new Error(answer.text)
  const { webhookUrl } = (await user.browser.get('/api/settings')).json() as Settings
  const { id } = await send(user.browser)
  await finished(user.browser, id)
  const mid = `${id.replaceAll('-', '')}-1`
  const url = new URL(new URL(webhookUrl ?? '').pathname, await originOf(running))
  const headers = { 'content-type': 'application/json' }
  const call = (body: string): Promise<number> => post(url, { headers, body: Buffer.from(body) })
  const suppressed = () =>
    running.db.selectFrom('suppressions').select('address').where('user_id', '=', user.userId).execute()
  return { ...user, id, mid, call, suppressed, counts: () => detail(user.browser, id) }
}

const report = (event: string, mid: string, token = `${event} of ${mid}`): string =>
  signedBody(
    { event, timestamp: Date.now() / 1000, 'user-variables': { mid } },
    { signingKey: SIGNING_KEY, now: Date.now(), token },
  )

async function hoursLater(hours: number, act: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS })
  try {
    await act()
  } finally {
    vi.useRealTimers()
  }
}

describe('a report of Mailgun', () => {
  it.each(['complained', 'unsubscribed'])(
    'that met a database which was away counts when it comes again hours later, as it was signed first: %s',
    async (event) => {
      const ann = await aSender()
      const body = report(event, ann.mid)
      way.behave('refuse')
      expect(await ann.call(body)).toBe(503)
      way.behave('pass')
      await until('the database is back', async () => (await ann.browser.get('/api/settings')).status === 200)
      await hoursLater(8, async () => expect(await ann.call(body)).toBe(200))
      expect(await ann.counts()).toMatchObject({ [`${event}Count`]: 1 })
      expect(await ann.suppressed()).toHaveLength(1)
    },
  )

  it('that was taken tells nothing new hours later: neither again, nor another story by the same token', async () => {
    const ann = await aSender()
    const body = report('delivered', ann.mid, 'seen by somebody')
    expect(await ann.call(body)).toBe(200)
    const counts = await ann.counts()
    expect(counts).toMatchObject({ deliveredCount: 1, complainedCount: 0 })
    await hoursLater(8, async () => {
      expect(await ann.call(body)).toBe(200)
      expect(await ann.call(body.replace('"event":"delivered"', '"event":"complained"'))).toBe(200)
    })
    expect(await ann.counts()).toEqual(counts)
    expect(await ann.suppressed()).toEqual([])
  })

  it('is refused after more than the nine hours in which Mailgun may come again', async () => {
    const ann = await aSender()
    const body = report('complained', ann.mid)
    await hoursLater(9.1, async () => expect(await ann.call(body)).toBe(401))
    expect(await ann.counts()).toMatchObject({ complainedCount: 0 })
    expect(await ann.suppressed()).toEqual([])
  })
})
