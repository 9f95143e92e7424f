import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Settings } from '../contract/settings.ts'
import { anAccount, anAddress } from './test/accounts.ts'
import { finished, send } from './test/campaigns.ts'
import { type Canary, dumpOf, escaped, overheard, type Place } from './test/canaries.ts'
import { freePort } from './test/free-port.ts'
import { originOf } from './test/inbound-webhooks.ts'
import { INBOX_ENV } from './test/inbox.ts'
import { bring, inboxAddress, received, reply } from './test/replies.ts'
import { TEST_KEY } from './test/running-app.ts'
import { startSmtpSimulator } from './test/simulators/smtp.ts'
import { aCode, anAppWithBot } from './test/telegram.ts'

const PUBLIC_URL = 'https://mail.example.test'
/** Nobody answers there: what is said of a provider is then our own. */
const NOWHERE = 'http://127.0.0.1:1'
const SENDER = { fromName: 'Ann', fromEmail: 'ann@corp.test' }

const canaries: Canary[] = []
function plant(
  name: string,
  value = `canary-${randomBytes(12).toString('hex')}`,
  belongsIn?: RegExp,
): string {
  canaries.push({ name, value, ...(belongsIn && { belongsIn }) })
  return value
}

/** What the product mails to somebody; the local mailbox keeps it in a table, in the place of a provider. */
const MAILED = /^the mail to|local_mailbox_messages$|^the answer to GET \/local-mailbox/

it('after a walk through everything no secret stands in an answer, the log, a mail, the chat or the database', async () => {
  const operator = {
    METRICS_TOKEN: plant('the token for metrics'),
    TELEGRAM_WEBHOOK_SECRET: plant('the secret of the webhook of Telegram', randomBytes(24).toString('hex')),
    RESEND_WEBHOOK_SECRET: plant('the secret of Resend', `whsec_${randomBytes(24).toString('base64')}`),
  }
  const token = plant('the token of the bot', `7012345678:${randomBytes(16).toString('hex')}`)
  plant('the master key', TEST_KEY)
  const relayPassword = plant('the password of the relay')
  const relay = await startSmtpSimulator({ auth: { user: 'ann', pass: relayPassword } })
  const port = await freePort()
  await using app = await anAppWithBot(
    {
      ...INBOX_ENV,
      ...operator,
      PUBLIC_URL,
      LOCAL_MAILBOX: 'on',
      ALLOW_PRIVATE_HOSTS: 'localhost',
      RESEND_BASE_URL: NOWHERE,
      SENDGRID_BASE_URL: NOWHERE,
      MAILGUN_BASE_URL: NOWHERE,
      SES_BASE_URL: NOWHERE,
    },
    { simulator: { token, webhookTo: new URL(`http://127.0.0.1:${port}`) } },
  )
  const { running, answers } = overheard(app.running)
  await running.app.http.listen({ port, host: '127.0.0.1' })
  const inboundPort = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })

  // An account, a wrong password, a forgotten one.
  const [ann, bob] = [anAddress('ann'), anAddress('bob')]
  const { browser } = await anAccount(running, { email: ann, password: plant('the password') })
  plant('the code for the address', await running.mails.code(ann), MAILED)
  const wrong = plant('a wrong password')
  expect((await running.browser().post('/api/auth/login', { email: ann, password: wrong })).status).toBe(401)
  await browser.post('/api/auth/forgot-password', { email: ann })
  const link = await running.mails.link(ann, '/reset-password', 2)
  const resetToken = plant('the token of the reset link', link.searchParams.get('token') ?? '', MAILED)
  expect((await browser.get(`/api/auth/reset-password/${resetToken}`)).status).toBe(200)
  const password = plant('the new password')
  const reset = await browser.post('/api/auth/reset-password', { token: resetToken, password })
  expect(reset.status).toBe(200)
  expect((await browser.post('/api/auth/login', { email: ann, password })).status).toBe(200)

  // Credentials of every kind, tested and stored; the last ones are those that mail leaves by.
  const accounts = [
    { provider: 'sendgrid', apiKey: plant('the key of SendGrid', `SG.${randomBytes(12).toString('hex')}`) },
    { provider: 'mailgun', apiKey: plant('the key of Mailgun'), webhookSigningKey: plant('its signing key') },
    {
      provider: 'ses',
      apiKey: plant('the key of SES', 'AKIACANARYCANARYCAN7'),
      smtpPassword: plant('the secret of SES'),
      smtpHost: 'eu-west-1',
    },
    {
      provider: 'smtp',
      smtpHost: 'localhost',
      smtpPort: Number(relay.url.port),
      smtpUser: 'ann',
      smtpPassword: relayPassword,
    },
  ]
  for (const { webhookSigningKey, ...account } of accounts) {
    const credentials = { ...SENDER, ...account }
    expect((await browser.post('/api/verify-provider', credentials)).status).toBe(200)
    const saved = await browser.post('/api/settings', {
      ...credentials,
      ...(webhookSigningKey && { webhookSigningKey }),
    })
    expect(saved).toMatchObject({ status: 200 })
    const { webhookUrl } = (await browser.get('/api/settings')).json() as Settings
    if (!webhookUrl) continue
    const { pathname } = new URL(webhookUrl)
    // Where a provider calls is no proof of who calls: its owner reads it, and it is stored as it is.
    const readable = /^the answer to (GET|POST) \/api\/settings|settings$|\/api\/(webhooks|inbound)\//
    plant(`the address of ${account.provider}`, pathname.split('/').at(-1), readable)
    const forged = { signature: { timestamp: '1', token: 'x', signature: wrong }, 'event-data': {} }
    // From outside, as providers call.
    const url = new URL(pathname, await originOf(running))
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(forged) })
    expect(answer.status).toBe(401)
    const text = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`
    answers.push({ where: `the answer to POST ${pathname}`, text })
  }

  // A relay that repeats what it was told; then a mail that leaves, a letter that comes, and its answer.
  relay.failNext({ stage: 'auth', does: { code: 535, text: `no, not ${relayPassword}` } })
  const refused = await browser.post('/api/verify-provider', { ...SENDER, ...accounts.at(-1) })
  expect(refused.json()).toMatchObject({ success: false })
  const { id } = await send(browser, { recipients: [bob] })
  await finished(browser, id)
  const address = await inboxAddress(browser)
  await bring(inboundPort, { from: bob, to: address }, `From: ${bob}\nTo: ${address}\nSubject: Re\n\nThanks`)
  const [message] = await received(browser, 1)
  if (!message) throw new Error('no message')
  await finished(browser, await reply(browser, message, 'You are welcome'))

  // The bot, also when Telegram fails.
  const person = app.telegram.person({ firstName: 'Ann' })
  const code = await aCode({ browser, email: ann, userId: '' })
  plant('the code for the chat', code, /^the answer to POST \/api\/telegram\/link/)
  app.telegram.lieNext(
    'sendMessage',
    { kind: 'bad-gateway', when: 'before' },
    { kind: 'reset', when: 'before' },
  )
  await person.starts(code)
  await person.hears(/Linked to/)
  await browser.get('/api/telegram/links')
  const { METRICS_TOKEN } = operator
  for (const bearer of [METRICS_TOKEN, `${METRICS_TOKEN}x`])
    await browser.get('/metrics', { authorization: `Bearer ${bearer}` })
  for (const [name, value] of browser.cookies) plant(`the cookie ${name}`, value)
  for (const path of ['/api/stats', '/api/email-history', '/api/instance', '/api/openapi.json', '/'])
    await browser.get(path)
  await browser.post('/api/auth/logout', {})
  await running.settled()
  await relay.close()

  const mails = (await Promise.all([ann, bob].map((one) => running.mails.all(one)))).flat()
  const places: Place[] = [
    ...answers,
    ...mails.map((mail) => ({ where: `the mail to ${mail.to}`, text: JSON.stringify(mail) })),
    ...relay.ledger.map(({ raw, to }) => ({ where: `the mail by the relay to ${to}`, text: raw })),
    { where: 'the chat', text: JSON.stringify(person.messages().filter(({ isFromBot }) => isFromBot)) },
    { where: 'the log', text: running.logged() },
    ...(await dumpOf(running.db)),
  ]
  expect(escaped(canaries, places)).toEqual([])
  // A search that finds nothing proves nothing: each code and link is found where it belongs, in the mails.
  const misplaced = canaries.filter(({ belongsIn }) => belongsIn).map(({ name, value }) => ({ name, value }))
  expect(new Set(escaped(misplaced, places).map((found) => found.split(' in ')[0])).size).toBe(
    misplaced.length,
  )
})
