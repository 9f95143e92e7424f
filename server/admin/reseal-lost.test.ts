import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Settings } from '../../contract/settings.ts'
import { createSecrets } from '../platform/secrets.ts'
import { findFormerKeys } from '../platform/secrets-former-keys.ts'
import { resealAll } from '../settings/reseal.ts'
import { aUser, type SignedIn, signedIn } from '../test/accounts.ts'
import { type AdminAnswer, admin } from '../test/admin.ts'
import { detail, finished, send } from '../test/campaigns.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aRunningApp } from '../test/running-app.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import { until } from '../test/until.ts'

const FIRST = 'the key that was replaced by the one that is lost'
const LOST = 'the key that was lost together with its disk'
const ACCEPTED = 'the key that was accepted in place of the lost one'
const [NEXT, LAST] = [`${ACCEPTED}, and next`, `${ACCEPTED}, and last`]

const SENDER = { fromName: 'Ann', fromEmail: 'ann@corp.test' }
const PASSWORD = { user: 'ann', pass: 'hunter2 of the relay' }

let relay: SmtpSimulator
let database: TestDatabase
let ann: SignedIn
let bob: SignedIn
const ENV = { ALLOW_PRIVATE_HOSTS: 'localhost' }
const running = (masterKey: string) => aRunningApp(ENV, { database, masterKey })
const on = (key: string, next = '') => ({
  ...{ DATABASE_URL: database.url, SECRET_KEY: key },
  ...(next === '' ? {} : { NEW_SECRET_KEY: next }),
})
const smtp = () => ({
  ...{ provider: 'smtp', ...SENDER, smtpHost: 'localhost', smtpPort: Number(relay.url.port) },
  ...{ smtpUser: PASSWORD.user, smtpPassword: PASSWORD.pass },
})

beforeAll(async () => {
  relay = await startSmtpSimulator({ auth: PASSWORD })
  database = await freshDatabase()
  expect(await admin(on(FIRST, LOST), ['reseal'])).toMatchObject({ code: 0, err: '' })
  {
    await using app = await running(LOST)
    ;[ann, bob] = [await aUser(app), await aUser(app)]
    const mailgun = { provider: 'mailgun', ...SENDER, apiKey: 'key-x', webhookSigningKey: randomUUID() }
    expect((await ann.browser.post('/api/settings', mailgun)).status).toBe(200)
    expect((await ann.browser.post('/api/settings', smtp())).status).toBe(200)
  }
  expect(await admin(on(ACCEPTED), ['accept-key'])).toMatchObject({ code: 0, err: '' })
  await using app = await running(ACCEPTED)
  const again = await signedIn(app, bob.userId)
  expect((await again.post('/api/settings', smtp())).status).toBe(200)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await relay.close()
})

async function everythingSealed(): Promise<unknown> {
  const { db } = database
  return {
    settings: await db.selectFrom('settings').selectAll().orderBy('user_id').execute(),
    webhooks: await db.selectFrom('webhook_keys').selectAll().execute(),
    former: await findFormerKeys(db),
    mark: await db.selectFrom('key_mark').selectAll().execute(),
  }
}

const refused = (sentence: RegExp): AdminAnswer => ({
  code: 1,
  out: '',
  err: expect.stringMatching(sentence),
})

it.each([
  [
    'at no word',
    [ACCEPTED],
    [],
    /^The key .* nothing was changed; see .*lost for good: npm run admin -- reseal drop-lost\n$/,
  ],
  ['at another word', [ACCEPTED], ['drop'], /^reseal takes drop-lost behind it or nothing\n$/],
  [
    'by a key that was never accepted',
    [NEXT],
    ['drop-lost'],
    /^Only the key that .* nothing was changed; .*accept-key first\n$/,
  ],
] as const)('what a lost key sealed is not dropped %s', async (_, [key], words, sentence) => {
  const before = await everythingSealed()
  expect(await admin(on(key, LAST), ['reseal', ...words])).toEqual(refused(sentence))
  expect(await everythingSealed()).toEqual(before)
})

it('nor by one of two who replace the key at the same moment, to whom all is sealed under the key of the other', async () => {
  const before = await everythingSealed()
  const [from, to] = [createSecrets(NEXT), createSecrets(LAST)]
  await expect(resealAll(database.db, { from, to, retired: [], dropsLost: true })).rejects.toThrow(/key/)
  expect(await everythingSealed()).toEqual(before)
})

it('what a lost key sealed is named and dropped at the word, and the key can be replaced ever after', async () => {
  const dropping = await admin(on(ACCEPTED, NEXT), ['reseal', 'drop-lost'])
  expect(dropping).toMatchObject({ code: 0, err: '' })
  expect(dropping.out.split('\n').slice(0, 7)).toEqual([
    'Dropped, since they were sealed under a key that is lost:',
    `${ann.email}\tsmtp\tpassword`,
    `${ann.email}\tmailgun\twebhook key`,
    '-\t-\tformer key of delivery-link',
    '-\t-\tformer key of delivery-return',
    'The credentials of 1 users are sealed under the new key.',
    'Links, return paths and reply addresses in mails that were sent before stay valid, but not those of the lost key.',
  ])
  const listed = await admin(on(NEXT), ['secrets'])
  expect(listed).toMatchObject({ code: 0, err: '' })
  expect(listed.out.split('\n').slice(1, -1)).toEqual([
    `${bob.email}\tsmtp\tpassword\tyes`,
    '-\t-\tformer key of delivery-link\tyes',
    '-\t-\tformer key of delivery-return\tyes',
  ])
  expect(await admin(on(NEXT, LAST), ['reseal'])).toMatchObject({ code: 0, err: '' })
})

it('whoever’s credentials were dropped sends nothing until they are typed again, and is told so', {
  tags: 'thorough',
}, async () => {
  await using app = await running(LAST)
  const browser = await signedIn(app, ann.userId)
  expect((await browser.get('/api/settings')).json() as Settings).toMatchObject({
    ...{ provider: 'smtp', smtpHost: 'localhost', smtpUser: PASSWORD.user, hasSmtpPassword: false },
  })
  const { id } = await send(browser, { recipients: ['eve@example.test'] })
  await until('it says why it waits', async () =>
    /^The stored credentials cannot be read. Please enter them again/.test(
      (await detail(browser, id)).pausedReason ?? '',
    ),
  )
  expect(relay.commands).toEqual([])
  expect((await browser.post('/api/settings', { ...smtp(), smtpPassword: '' })).status).toBe(400)
  expect((await browser.post('/api/settings', smtp())).status).toBe(200)
  expect(await finished(browser, id)).toMatchObject({ counts: { accepted: 1 } })
})
