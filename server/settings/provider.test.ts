import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  REPLACED_PROVIDER_HEADER,
  type Settings,
  type VerifyProviderResponse,
} from '../../contract/settings.ts'
import { createSecrets, signingKeyOf } from '../platform/secrets.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { dumpOf, escaped } from '../test/canaries.ts'
import { aRunningApp, type RunningApp, TEST_KEY } from '../test/running-app.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import { resealAll } from './reseal.ts'
import { findSettings, findWebhookKey } from './store.ts'
import { createVault, type Vault } from './vault.ts'

const CANARY = 'canary-Secret-0192'
const CREDENTIALS = { user: 'ann', pass: CANARY }

let relay: SmtpSimulator
let other: SmtpSimulator
let running: RunningApp
beforeAll(async () => {
  relay = await startSmtpSimulator({ auth: CREDENTIALS })
  other = await startSmtpSimulator({ auth: CREDENTIALS })
  running = await aRunningApp({ ALLOW_PRIVATE_HOSTS: 'localhost' })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await Promise.all([relay.close(), other.close()])
})

const SENDER = { fromName: 'Ann', fromEmail: 'ann@corp.test' }
const smtp = (server: SmtpSimulator, parts: Record<string, unknown> = {}) => ({
  provider: 'smtp',
  ...SENDER,
  smtpHost: 'localhost',
  smtpPort: Number(server.url.port),
  smtpUser: 'ann',
  ...parts,
})

const save = (user: SignedIn, body: unknown) => user.browser.post('/api/settings', body)
const read = async (user: SignedIn) => (await user.browser.get('/api/settings')).json() as Settings
const verify = async (user: SignedIn, body: unknown) => {
  const answer = await user.browser.post('/api/verify-provider', body)
  if (answer.status !== 200) throw new Error(`verify-provider answered ${answer.status}: ${answer.text}`)
  return answer.json() as VerifyProviderResponse
}
const signIns = (server: SmtpSimulator) => server.commands.filter((line) => line.startsWith('AUTH')).length

describe('a provider of one’s own', () => {
  it('is stored, and comes back without its secret', async () => {
    const ann = await aUser(running)
    expect((await save(ann, smtp(relay, { smtpPassword: CANARY }))).status).toBe(200)
    const answer = await ann.browser.get('/api/settings')
    expect(answer.text).not.toContain(CANARY)
    expect(answer.json()).toEqual({
      provider: 'smtp',
      smtpHost: 'localhost',
      smtpPort: Number(relay.url.port),
      smtpUser: 'ann',
      hasSmtpPassword: true,
      hasApiKey: false,
      ...SENDER,
      sendFromOwnAddress: false,
      webhookUrl: null,
      inboundUrl: null,
      hasWebhookSigningKey: false,
      trackOpens: true,
      alwaysUnsubscribe: false,
    })
  })

  it.each([
    ['sendgrid', { apiKey: `SG.${CANARY}` }],
    ['mailgun', { apiKey: `key-${CANARY}` }],
    ['ses', { apiKey: `AKIA${CANARY}`, smtpPassword: CANARY }],
  ])(
    'tells where %s reports and brings mail to, an address of its own for each user',
    async (provider, secrets) => {
      const [ann, eve] = [await aUser(running), await aUser(running)]
      for (const user of [ann, eve])
        expect((await save(user, { provider, ...SENDER, ...secrets })).status).toBe(200)
      const mine = await read(ann)
      expect(mine.webhookUrl).toMatch(
        new RegExp(`^http://localhost:3000/api/webhooks/${provider}/[\\w-]{43}$`),
      )
      const ending = provider === 'mailgun' ? '/mime' : ''
      expect(mine.inboundUrl).toBe(`${mine.webhookUrl?.replace('webhooks', 'inbound')}${ending}`)
      expect((await read(eve)).webhookUrl).not.toBe(mine.webhookUrl)
      expect((await read(ann)).webhookUrl).toBe(mine.webhookUrl)
      expect(JSON.stringify(mine)).not.toContain(CANARY)
    },
  )

  it('is forgotten with the change to the product’s own', async () => {
    const ann = await aUser(running)
    await save(ann, smtp(relay, { smtpPassword: CANARY }))
    await save(ann, { provider: 'resend', ...SENDER })
    expect(await read(ann)).toMatchObject({ provider: 'resend', smtpHost: '', hasSmtpPassword: false })
  })

  it('is not lost to a form that was begun before it was set up, and to the next one only knowingly', async () => {
    const ann = await aUser(running)
    await save(ann, smtp(relay, { smtpPassword: CANARY }))
    const saveKnowing = (known: string, body: object) =>
      ann.browser.post('/api/settings', body, { [REPLACED_PROVIDER_HEADER]: known })
    const own = { provider: 'sendgrid', fromName: 'Late', fromEmail: '', apiKey: 'SG.x' }
    for (const late of [own, { provider: 'resend', ...SENDER, trackOpens: false }])
      expect(await saveKnowing('resend', late)).toMatchObject({
        status: 409,
        text: 'Your email provider is SMTP by now, not the one that this form began with. Nothing was saved; look at the settings and save again',
      })
    expect(await read(ann)).toMatchObject({ provider: 'smtp', hasSmtpPassword: true, trackOpens: true })
    expect((await saveKnowing('smtp', own)).status).toBe(200)
    // Said again, because nobody heard the answer: it replaces nothing any more.
    expect((await saveKnowing('smtp', own)).status).toBe(200)
    expect(await read(ann)).toMatchObject({ provider: 'sendgrid', fromName: 'Late' })
  })

  it.each([
    ['smtp without a host', smtp_('')],
    ['smtp with a host that is an address in disguise', smtp_('0x7f.1')],
    ['smtp with a line break in the host', smtp_('localhost\r\nEHLO x')],
    ['smtp with a port for other things', { ...smtp_('mail.example.com'), smtpPort: 22 }],
    ['smtp with a user and no password', smtp_('mail.example.com')],
    ['a user with a line break', { ...smtp_('mail.example.com'), smtpUser: 'a\r\nb', smtpPassword: 'x' }],
    ['a key that no header can carry', { provider: 'sendgrid', ...SENDER, apiKey: 'SG.schlüssel' }],
    ['sendgrid without a key', { provider: 'sendgrid', ...SENDER }],
    ['mailgun with a blank key', { provider: 'mailgun', ...SENDER, apiKey: '  ' }],
    ['ses without the secret', { provider: 'ses', ...SENDER, apiKey: 'AKIA1' }],
    ...['us-east-1.x.test/#', 'us-east-1@x.test', 'us-east-1\r\nHost: x', '../x', 'xx-nowhere-9'].map(
      (smtpHost): [string, object] => [
        `the region ${JSON.stringify(smtpHost)}`,
        { provider: 'ses', ...SENDER, apiKey: 'AKIA1', smtpPassword: 'x', smtpHost },
      ],
    ),
    [
      'one’s own address without having one',
      { provider: 'sendgrid', fromName: '', fromEmail: '', apiKey: 'SG.x', sendFromOwnAddress: true },
    ],
    [
      'a webhook key that is none',
      { provider: 'sendgrid', ...SENDER, apiKey: 'SG.x', webhookSigningKey: 'not a key' },
    ],
    [
      'a topic that is none',
      { provider: 'ses', ...SENDER, apiKey: 'A', smtpPassword: 'b', webhookSigningKey: 'arn:aws:s3:::x' },
    ],
    [
      'a webhook key for a relay',
      { ...smtp_('mail.example.com'), smtpPassword: 'x', webhookSigningKey: 'k' },
    ],
  ])('is refused in one sentence: %s', async (_, body) => {
    const ann = await aUser(running)
    const answer = await save(ann, body)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z][^\r\n]{10,}$/)
    expect(await read(ann)).toMatchObject({ provider: 'resend', fromName: '' })
  })
})

function smtp_(smtpHost: string) {
  return { provider: 'smtp', ...SENDER, smtpHost, smtpUser: 'ann' }
}

describe('a place that is not on the public internet', () => {
  it('S2: is refused by a test in the same words at every port, and nobody is called', async () => {
    const ann = await aUser(running)
    for (const smtpHost of ['127.0.0.1', '[::1]', '169.254.169.254']) {
      const told = await Promise.all(
        [25, 465, 587, 2525].map(async (smtpPort) => {
          const tested = await verify(ann, { ...smtp_(smtpHost), smtpPort, smtpPassword: 'x' })
          return tested.error?.replace(`:${smtpPort}`, ':PORT')
        }),
      )
      expect(told[0]).toMatch(/is not on the public internet/)
      expect(new Set(told).size).toBe(1)
    }
  })
})

it('a password without the user it belongs to is not called good, and a stored one goes with its user', async () => {
  const ann = await aUser(running)
  await save(ann, smtp(relay, { smtpPassword: CANARY }))
  const nobodys = smtp(relay, { smtpUser: '', smtpPassword: `${CANARY}-wrong` })
  for (const path of ['/api/verify-provider', '/api/settings'])
    expect(await ann.browser.post(path, nobodys)).toMatchObject({
      status: 400,
      text: 'Please enter the SMTP user that this password belongs to, or leave both blank',
    })
  expect(await read(ann)).toMatchObject({ smtpUser: 'ann', hasSmtpPassword: true })
  expect((await save(ann, smtp(relay, { smtpUser: '', smtpPassword: '' }))).status).toBe(200)
  expect(await read(ann)).toMatchObject({ smtpUser: '', hasSmtpPassword: false })
})

describe('a secret that is left blank', () => {
  it('stays as it is stored, for the same provider and host', async () => {
    const ann = await aUser(running)
    await save(ann, smtp(relay, { smtpPassword: CANARY }))
    expect((await save(ann, smtp(relay, { smtpPassword: '', fromName: 'Ann B.' }))).status).toBe(200)
    expect(await verify(ann, smtp(relay))).toMatchObject({ success: true })
  })

  it('is never handed to another host: neither by a test nor by saving', async () => {
    const ann = await aUser(running)
    await save(ann, smtp(relay, { smtpPassword: CANARY }))
    const before = signIns(other)
    const tested = await ann.browser.post('/api/verify-provider', smtp(other))
    expect(tested).toMatchObject({ status: 400, text: expect.stringContaining('again') })
    expect((await save(ann, smtp(other))).status).toBe(400)
    expect(signIns(other)).toBe(before)
    expect(await read(ann)).toMatchObject({ smtpPort: Number(relay.url.port) })
  })

  it('does not serve another provider', async () => {
    const ann = await aUser(running)
    await save(ann, { provider: 'sendgrid', ...SENDER, apiKey: 'SG.one' })
    expect((await save(ann, { provider: 'mailgun', ...SENDER })).status).toBe(400)
    await save(ann, { provider: 'ses', ...SENDER, apiKey: 'AKIA1', smtpPassword: 'x', smtpHost: 'eu-west-1' })
    expect((await save(ann, { provider: 'ses', ...SENDER, smtpHost: 'eu-west-1' })).status).toBe(200)
    expect((await save(ann, { provider: 'ses', ...SENDER, smtpHost: 'us-east-1' })).status).toBe(400)
  })
})

describe('stored secrets', () => {
  it('are sealed: neither they nor a spelling of them stand in the database or the log', async () => {
    const ann = await aUser(running)
    await save(ann, smtp(relay, { smtpPassword: CANARY }))
    await verify(ann, smtp(relay))
    await verify(ann, smtp(relay, { smtpPassword: `${CANARY}-wrong` }))
    const places = [...(await dumpOf(running.db)), { where: 'the log', text: running.logged() }]
    expect(escaped([{ name: 'the password', value: CANARY }], places)).toEqual([])
  })

  it('that were moved to another user do not open', async () => {
    const [ann, eve] = [await aUser(running), await aUser(running)]
    await save(ann, smtp(relay, { smtpPassword: CANARY }))
    await save(eve, smtp(relay, { smtpPassword: `${CANARY}-2` }))
    await sql`update settings set sealed_password = (select sealed_password from settings where user_id = ${ann.userId})
      where user_id = ${eve.userId}`.execute(running.db)
    const before = signIns(relay)
    const tested = await eve.browser.post('/api/verify-provider', smtp(relay))
    expect(tested.status).toBe(400)
    expect(signIns(relay)).toBe(before)
  })
})

it('all stored secrets are sealed under a new key, or none', async () => {
  const [ann, eve] = [await aUser(running), await aUser(running)]
  await save(ann, smtp(relay, { smtpPassword: CANARY }))
  const key = 'signing-key-of-ann-0123456789'
  await save(eve, { provider: 'mailgun', ...SENDER, apiKey: `key-${CANARY}`, webhookSigningKey: key })
  await sql`delete from settings where user_id not in (${ann.userId}, ${eve.userId})`.execute(running.db)
  await sql`delete from webhook_keys where user_id <> ${eve.userId}`.execute(running.db)
  const [from, to] = [createSecrets(TEST_KEY), createSecrets(`${TEST_KEY} and another`)]
  const [old, next] = [createVault(from), createVault(to)]
  const retired = [signingKeyOf(TEST_KEY, 'some purpose')]
  const kept = () => running.db.selectFrom('former_token_keys').select('purpose').execute()
  await expect(resealAll(running.db, { from: to, to: from, retired })).rejects.toThrow()
  expect(await kept()).toEqual([])
  expect(await resealAll(running.db, { from, to, retired })).toBe(2)
  expect(await kept()).toEqual([{ purpose: 'some purpose' }])
  const open = async (vault: Vault, { userId }: SignedIn) =>
    vault.open(userId, await findSettings(running.db, userId))
  expect(await open(next, ann)).toMatchObject({ password: CANARY })
  expect(await open(next, eve)).toMatchObject({ apiKey: `key-${CANARY}` })
  await expect(open(old, ann)).rejects.toThrow()
  const sealed = await findWebhookKey(running.db, eve.userId, 'mailgun')
  expect(next.openWebhookKey(eve.userId, 'mailgun', sealed ?? '')).toBe(key)
})
