import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { startMailgunSimulator } from '../test/simulators/mailgun.ts'
import { startResendSimulator } from '../test/simulators/resend.ts'
import { startSendgridSimulator } from '../test/simulators/sendgrid.ts'
import { startSesSimulator } from '../test/simulators/ses.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { until } from '../test/until.ts'

const SIZE = 5_000
const SENDER = { fromName: 'Ann', fromEmail: 'ann@corp.test' }
const OWN = ['postrider.localhost', 'corp.test']

const all = {
  resend: await startResendSimulator({ domains: OWN }),
  smtp: await startSmtpSimulator(),
  sendgrid: await startSendgridSimulator({ domains: OWN.map((domain) => ({ domain, valid: true })) }),
  mailgun: await startMailgunSimulator({ domains: OWN }),
  ses: await startSesSimulator({ identities: { 'postrider.localhost': true, 'corp.test': true } }),
}

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({
    RESEND_API_KEY: all.resend.apiKey,
    RESEND_BASE_URL: all.resend.url.href,
    SENDGRID_BASE_URL: all.sendgrid.url.href,
    MAILGUN_BASE_URL: all.mailgun.url.href,
    SES_BASE_URL: all.ses.url.href,
    ALLOW_PRIVATE_HOSTS: 'localhost',
  })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await Promise.all(Object.values(all).map((simulator) => simulator.close()))
})

type Case = {
  settings: Record<string, unknown>
  /** The address behind every mail that was taken. */
  taken: () => string[]
  calls: () => number
  callsMax: number
  /** From which address the last mail left. */
  from: () => string | undefined
}

const bare = (mailbox: string): string => /<(.*)>$/.exec(mailbox)?.[1] ?? mailbox

const CASES: Record<keyof typeof all, Case> = {
  resend: {
    settings: {},
    taken: () => all.resend.ledger.map(({ mail }) => bare(mail.to[0] ?? '')),
    calls: () => all.resend.calls.length,
    callsMax: SIZE / 100,
    from: () => all.resend.ledger.at(-1)?.mail.from,
  },
  smtp: {
    settings: { smtpHost: 'localhost', smtpPort: Number(all.smtp.url.port) },
    taken: () => all.smtp.ledger.flatMap(({ to }) => to),
    calls: () => 0,
    callsMax: 0,
    from: () => all.smtp.ledger.at(-1)?.from,
  },
  sendgrid: {
    settings: { apiKey: all.sendgrid.apiKey },
    taken: () => all.sendgrid.ledger.map(({ to }) => to),
    calls: () => all.sendgrid.calls.length,
    callsMax: SIZE / 1_000,
    from: () => all.sendgrid.ledger.at(-1)?.letter.from.email,
  },
  mailgun: {
    settings: { apiKey: all.mailgun.apiKey },
    taken: () => all.mailgun.ledger.map(({ recipient }) => bare(recipient)),
    calls: () => all.mailgun.calls.length,
    callsMax: SIZE / 1_000,
    from: () => all.mailgun.ledger.at(-1)?.mail.from,
  },
  ses: {
    settings: { apiKey: all.ses.accessKeyId, smtpPassword: all.ses.secretAccessKey },
    taken: () => all.ses.ledger.flatMap(({ mail }) => mail.to.map(bare)),
    calls: () => all.ses.calls.length,
    callsMax: SIZE / 50,
    from: () => all.ses.ledger.at(-1)?.mail.from,
  },
}

describe.each(Object.entries(CASES))('by %s', (provider, { settings, taken, calls, callsMax, from }) => {
  const body = { provider, ...SENDER, ...settings }
  const tags = ['resend', 'smtp'].includes(provider) ? 'thorough' : []

  it('the credentials are found to be good', async () => {
    const ann = await aUser(running)
    const answer = await ann.browser.post('/api/verify-provider', body)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json()).toMatchObject({ success: true })
  })

  it('a campaign of 5,000 reaches everyone once, in as few calls as the provider allows', {
    tags,
  }, async () => {
    const ann = await aUser(running)
    expect((await ann.browser.post('/api/settings', body)).status).toBe(200)
    const people = recipients(SIZE, provider)
    const { id } = await send(ann.browser, { recipients: people })
    const { counts, status } = await finished(ann.browser, id, 60_000)
    expect({ ...counts, status }).toMatchObject({ accepted: SIZE, failed: 0, unknown: 0, status: 'sent' })
    expect(taken().sort()).toEqual([...people].sort())
    expect(calls()).toBeLessThanOrEqual(callsMax)
  })

  it('mail leaves from the product’s address', { tags }, () => {
    expect(bare(from() ?? '')).toBe('mail@postrider.localhost')
  })

  it.runIf(provider !== 'resend')('a user may send from their own address', async () => {
    const ann = await aUser(running)
    await ann.browser.post('/api/settings', { ...body, sendFromOwnAddress: true })
    const { id } = await send(ann.browser, { recipients: [`own-${provider}@example.test`] })
    await finished(ann.browser, id)
    expect(bare(from() ?? '')).toBe('ann@corp.test')
  })
})

it('a campaign that waits because of a wrong key goes on once the key is mended', {
  tags: 'thorough',
}, async () => {
  const ann = await aUser(running)
  await ann.browser.post('/api/settings', { provider: 'sendgrid', ...SENDER, apiKey: 'SG.wrong.key' })
  const { id } = await send(ann.browser, { recipients: ['mended@example.test'] })
  await until('it waits', async () => (await detail(ann.browser, id)).state === 'paused')
  expect(await detail(ann.browser, id)).toMatchObject({
    state: 'paused',
    pausedReason: expect.stringContaining('SendGrid'),
  })
  await ann.browser.post('/api/settings', { provider: 'sendgrid', ...SENDER, apiKey: all.sendgrid.apiKey })
  expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 1 })
  const [mail] = await deliveries(ann.browser, id)
  expect(mail).toMatchObject({ state: 'accepted', reason: null })
})
