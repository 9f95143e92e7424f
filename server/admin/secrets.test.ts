import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Database } from '../platform/database.ts'
import { createSecrets } from '../platform/secrets.ts'
import type { OwnAccount } from '../providers/own-account.ts'
import { createVault } from '../settings/vault.ts'
import { admin } from '../test/admin.ts'
import { freshDatabase } from '../test/database.ts'
import { aRunningApp, TEST_KEY } from '../test/running-app.ts'

const ROTATE_KEY = fileURLToPath(new URL('../rotate-key.ts', import.meta.url))
const NEW_KEY = `${TEST_KEY}, and newer`
const CANARY = 'canary-Secret-0192'

async function aKeeper(db: Database, name: string, account: OwnAccount, key = TEST_KEY): Promise<string> {
  const vault = createVault(createSecrets(key))
  const id = randomUUID()
  const email = `${name}@example.test`
  await db.insertInto('users').values({ id, email, email_key: email, password_hash: '' }).execute()
  const { sealedPassword, sealedApiKey, ...plain } = vault.seal(id, account)
  await db
    .insertInto('settings')
    .values({
      user_id: id,
      provider: account.provider,
      ...plain,
      sealed_password: sealedPassword,
      sealed_api_key: sealedApiKey,
    })
    .execute()
  return id
}

const smtp: OwnAccount = { provider: 'smtp', host: 'relay.test', port: 587, user: 'ann', password: CANARY }
const ses: OwnAccount = {
  provider: 'ses',
  region: 'eu-west-1',
  accessKeyId: `${CANARY}-1`,
  secretAccessKey: `${CANARY}-2`,
}

it('tells who keeps which credentials and whether they open, never what they are, and seals them under a new key', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const ann = await aKeeper(db, 'ann', smtp)
  await aKeeper(db, 'sue', ses)
  const sealed_key = createVault(createSecrets(TEST_KEY)).sealWebhookKey(ann, 'mailgun', CANARY)
  await db.insertInto('webhook_keys').values({ user_id: ann, provider: 'mailgun', sealed_key }).execute()
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_KEY }
  const rows = (opens: string) =>
    [
      'email\tprovider\tfields\topens',
      `ann@example.test\tsmtp\tpassword\t${opens}`,
      `ann@example.test\tmailgun\twebhook key\t${opens}`,
      `sue@example.test\tses\taccess key, secret access key\t${opens}`,
      '',
    ].join('\n')

  const withFormer = (opens: string) =>
    `${rows(opens)}-\t-\tformer key of delivery-link\t${opens}\n-\t-\tformer key of delivery-return\t${opens}\n`

  expect(await admin(env, ['secrets'])).toEqual({ code: 0, out: rows('yes'), err: '' })
  const renewed = await admin({ ...env, NEW_SECRET_KEY: NEW_KEY }, [], ROTATE_KEY)
  expect(renewed).toMatchObject({ code: 0, out: expect.stringMatching(/^The credentials of 2 users are/) })
  expect(await admin(env, ['secrets'])).toEqual({
    code: 1,
    out: withFormer('no'),
    err: '5 of these do not open. Set SECRET_KEY to the one that they were sealed under\n',
  })
  expect((await admin({ ...env, SECRET_KEY: NEW_KEY }, ['secrets'])).out).toBe(withFormer('yes'))

  const lost = await admin({ ...env, NEW_SECRET_KEY: NEW_KEY }, ['reseal'])
  expect(lost).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The key .* nothing was changed;.*\n$/),
  })
  const short = await admin({ ...env, SECRET_KEY: NEW_KEY, NEW_SECRET_KEY: 'x' }, ['reseal'])
  expect(short).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^NEW_SECRET_KEY must have at least 32[^\n]*\n$/),
  })
  expect((await admin({ ...env, SECRET_KEY: NEW_KEY }, ['secrets'])).out).toBe(withFormer('yes'))
})

it('seals nothing anew beside a running Postrider, which would go on with the old key', async () => {
  await using database = await freshDatabase()
  await using _running = await aRunningApp({}, { database })
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_KEY, NEW_SECRET_KEY: NEW_KEY }
  expect(await admin(env, ['reseal'])).toEqual({
    code: 1,
    out: '',
    err: 'A Postrider runs on this database; stop every one of its processes first\n',
  })
})
