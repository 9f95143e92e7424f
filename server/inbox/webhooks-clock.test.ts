import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { aReceivingUser, arrived, originOf, post, stored } from '../test/inbound-webhooks.ts'
import { INBOX_ENV } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { receiptOf } from '../test/simulators/ses-receipt.ts'
import { type SnsSimulator, startSnsSimulator } from '../test/simulators/sns.ts'

let sns: SnsSimulator
let running: RunningApp
beforeAll(async () => {
  sns = await startSnsSimulator()
  running = await aRunningApp({ ...INBOX_ENV, SNS_CERT_BASE_URL: sns.url.href })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await sns.close()
})

const call = (message: object) => ({
  body: Buffer.from(JSON.stringify(message)),
  headers: { 'content-type': 'text/plain' },
})

/** Six minutes slow. */
async function withSlowClock(act: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 6 * 60_000 })
  try {
    await act()
  } finally {
    vi.useRealTimers()
  }
}

it('mail and reports by Amazon that come while the clock is slow are asked for again, and taken once it is right', async () => {
  const ann = await aReceivingUser(running, 'ses', sns.topicArn)
  const { webhookUrl } = (await ann.browser.get('/api/settings')).json() as Settings
  const reports = new URL(new URL(webhookUrl ?? '').pathname, await originOf(running))
  const mail = arrived(['a@corp.test'])
  const brought = sns.envelope({ Message: JSON.stringify(receiptOf(mail)) })
  const report = sns.envelope({ Message: JSON.stringify({ eventType: 'Send', mail: {} }) })
  await withSlowClock(async () => {
    for (const [url, message] of [
      [ann.url, brought],
      [reports, report],
    ] as const) {
      const warnings = running.logged().split('check the clock of this server').length
      expect(await post(url, call(message))).toBe(503)
      expect(running.logged().split('check the clock of this server')).toHaveLength(warnings + 1)
      expect(await post(url, call({ ...message, Message: '{"a":1}' }))).toBe(401)
    }
    expect(await stored(running, ann)).toEqual([])
  })
  expect(await post(reports, call(report))).toBe(200)
  for (let n = 0; n < 2; n += 1) expect(await post(ann.url, call(brought))).toBe(200)
  expect(await stored(running, ann)).toMatchObject([{ raw: mail.raw }])
})
