import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anAccount, PASSWORD, register } from '../test/accounts.ts'
import { type AdminAnswer, admin } from '../test/admin.ts'
import { send } from '../test/campaigns.ts'
import { freshDatabase } from '../test/database.ts'
import { inOneDay } from '../test/one-day.ts'
import { aRunningApp, TEST_KEY } from '../test/running-app.ts'

const oneSentence = (sentence: RegExp): AdminAnswer => ({
  code: 1,
  out: '',
  err: expect.stringMatching(new RegExp(`^${sentence.source}[^\n]*\n$`)),
})

it('makes an account beside a running Postrider, without any mail, whose owner sets the password by a link that works once', async () => {
  await using database = await freshDatabase()
  await using running = await aRunningApp({}, { database })
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_KEY, PUBLIC_URL: 'https://mail.example.test' }

  const made = await admin(env, ['create-user', 'Ann@Example.test'])
  expect(made).toMatchObject({ code: 0, err: '' })
  const [sentence, link = ''] = made.out.trim().split('\n')
  expect(sentence).toMatch(/^The account of Ann@Example.test is made\. .* once, within one hour\.$/)
  expect(link).toMatch(/^https:\/\/mail\.example\.test\/reset-password\?token=[\w-]{43}$/)
  expect(await running.mails.all('Ann@Example.test')).toEqual([])

  const browser = running.browser()
  const token = new URL(link).searchParams.get('token')
  const signIn = (password: string) =>
    browser.post('/api/auth/login', { email: 'ann@example.test', password })
  expect((await signIn(PASSWORD)).status).toBe(401)
  const reset = { token, password: PASSWORD }
  expect((await browser.post('/api/auth/reset-password', reset)).status).toBe(200)
  expect((await browser.post('/api/auth/reset-password', reset)).status).toBe(400)
  expect((await signIn(PASSWORD)).status).toBe(200)

  expect(await admin(env, ['create-user', 'ann@example.TEST'])).toEqual(
    oneSentence(/ann@example.TEST has an account already; .*reset-password ann@example.TEST/),
  )
})

it('prints a link for somebody who has an account, and says so of somebody who has none', async () => {
  await using database = await freshDatabase()
  await using running = await aRunningApp({}, { database })
  const { email, browser } = await anAccount(running)
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_KEY }

  const { code, out } = await admin(env, ['reset-password', email])
  expect(code).toBe(0)
  const token = new URL(out.trim().split('\n').at(-1) ?? '').searchParams.get('token')
  const password = 'another horse, another battery'
  expect((await browser.post('/api/auth/reset-password', { token, password })).status).toBe(200)
  expect((await running.browser().post('/api/auth/login', { email, password })).status).toBe(200)
  expect((await browser.get('/api/auth/session')).status).toBe(401)

  expect(await admin(env, ['reset-password', 'nobody@example.test'])).toEqual(
    oneSentence(/nobody@example.test has no account; .*create-user nobody@example.test/),
  )
})

it('lists every account, however many there are, and who has not confirmed the address yet', async () => {
  await inOneDay()
  await using database = await freshDatabase()
  await using running = await aRunningApp({}, { database })
  const ann = await anAccount(running, { email: 'ann@example.test' })
  await send(ann.browser)
  await database.db
    .insertInto('telegram_links')
    .values({ user_id: ann.userId, telegram_user_id: '4711', username: 'ann_t', first_name: '\u001b[31mAnn' })
    .execute()
  await register(running.browser(), 'zoe@example.test')
  await register(running.browser(), 'zoe@example.test')
  const users = Array.from({ length: 1_100 }, (_, at) => `u${String(at).padStart(4, '0')}@example.test`)
  await database.db
    .insertInto('users')
    .values(users.map((email) => ({ id: crypto.randomUUID(), email, email_key: email, password_hash: '' })))
    .execute()

  const { code, out, err } = await admin({ DATABASE_URL: database.url, SECRET_KEY: TEST_KEY }, ['users'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const rows = out.trim().split('\n')
  const today = new Date().toISOString().slice(0, 10)
  expect(rows[0]).toBe('email\tsince\tverified\tcampaigns\ttelegram')
  expect(rows[1]).toBe(`ann@example.test\t${today}\tyes\t1\t@ann_t`)
  expect(rows.slice(2, -1).map((row) => row.split('\t')[0])).toEqual(users)
  expect(rows.at(-1)).toBe(`zoe@example.test\t${today}\tno\t0\t-`)
})

it('answers wrong use and wrong places with one sentence, and makes no database by mistake', {
  tags: 'thorough',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-admin-'))
  const here = { DATA_DIR: folder }
  expect(await admin(here, ['create-user'])).toEqual(
    oneSentence(/create-user needs EMAIL behind it: npm run/),
  )
  expect(await admin(here, ['users', 'all'])).toEqual(oneSentence(/users takes nothing behind it: npm run/))
  expect(await admin(here, ['users'])).toEqual(
    oneSentence(/There is no database in .*; start Postrider once/),
  )
  expect(await readdir(folder)).toEqual([])
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_KEY: TEST_KEY }
  expect(await admin(nowhere, ['users'])).toEqual(oneSentence(/The database does not answer/))
  expect(await admin({ ...here, PORT: 'x' }, ['users'])).toEqual(oneSentence(/PORT must be/))
  await using database = await freshDatabase()
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_KEY }
  expect(await admin(env, ['create-user', 'no address'])).toEqual(oneSentence(/Please enter a valid e-mail/))
  await database.db.deleteFrom('schema_migrations').where('name', 'like', '0001%').execute()
  expect(await admin(env, ['users'])).toEqual(
    oneSentence(/The tables of this database are those of an earlier/),
  )
  await rm(folder, { recursive: true })
})
