import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, send } from '../test/campaigns.ts'
import { originOf } from '../test/inbound-webhooks.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type SesSimulator, startSesSimulator } from '../test/simulators/ses.ts'
import { type SnsSimulator, startSnsSimulator } from '../test/simulators/sns.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

let sns: SnsSimulator
let ses: SesSimulator
let running: RunningApp
beforeAll(async () => {
  sns = await startSnsSimulator()
  ses = await startSesSimulator({ reports: { sns } })
  running = await aRunningApp({ SES_BASE_URL: ses.url.href, SNS_CERT_BASE_URL: sns.url.href })
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
  await ses.close()
  await sns.close()
})

/** Sends by Amazon SES, which reports to them. */
async function anSesUser(): Promise<SignedIn> {
  const user = await aUser(running)
  const saved = await user.browser.post('/api/settings', {
    provider: 'ses',
    fromName: 'Ann',
    fromEmail: 'ann@corp.test',
    apiKey: ses.accessKeyId,
    smtpPassword: ses.secretAccessKey,
    webhookSigningKey: sns.topicArn,
  })
  if (saved.status !== 200) throw new Error(saved.text)
  const { webhookUrl } = (await user.browser.get('/api/settings')).json() as Settings
  const { pathname } = new URL(webhookUrl ?? '')
  if (!(await sns.subscribe(new URL(pathname, await originOf(running))))) throw new Error('not confirmed')
  return user
}

it('a mail that Amazon SES delivered stays delivered, whatever note of an absence comes back', async () => {
  const { browser } = await anSesUser()
  const before = sns.posts.length
  const { id } = await send(browser, { recipients: ['ooto@simulator.amazonses.com'] })
  await finished(browser, id)
  // It was sent, it was delivered, and a note came.
  await until('all is told', async () => sns.posts.length >= before + 3)
  expect(sns.posts.slice(before).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await detail(browser, id)).toMatchObject({ deliveredCount: 1, bouncedCount: 0 })
  expect(await deliveries(browser, id)).toMatchObject([
    { state: 'accepted', deliveredAt: expect.any(String), bouncedAt: null, reason: null },
  ])
  expect(await running.db.selectFrom('soft_bounces').selectAll().execute()).toEqual([])
})
