import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAccount, anAddress, PASSWORD, register } from '../test/accounts.ts'
import { escaped } from '../test/canaries.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { createAuthHousekeeping } from './housekeeping.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(() => running[Symbol.asyncDispose]())

const verify = (userId: string, code: string, browser = running.browser()) =>
  browser.post('/api/auth/verify', { userId, code })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const FAILURE = { status: 400, text: 'Invalid verification code, or it has expired' }

describe('signing up', () => {
  it('makes an account with the code that was mailed, and a session', async () => {
    const { browser, email, userId } = await anAccount(running)
    const session = await browser.get('/api/auth/session')
    expect(session.json()).toEqual({ user: { id: userId, email } })
  })

  it('makes the same account with the link that was mailed', async () => {
    const email = anAddress()
    await register(running.browser(), email)
    const { searchParams } = await running.mails.link(email, '/verify-email')
    const answer = await verify(searchParams.get('userId') ?? '', searchParams.get('code') ?? '')
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json()).toMatchObject({ user: { email } })
  })

  it.each([
    ['no address', { email: 'nobody', password: PASSWORD }, 'valid e-mail address'],
    ['two addresses', { email: 'a@x.test,b@x.test', password: PASSWORD }, 'valid e-mail address'],
    ['a NUL', { email: 'a\u0000b@x.test', password: PASSWORD }, '"email" does not have the expected form'],
    ['a line break', { email: 'a@x.test\r\nBcc: b@x.test', password: PASSWORD }, '"email" does not'],
    ['a short password', { email: 'a@x.test', password: '1234567' }, '"password" is too short: at least 8'],
    ['a common password', { email: 'a@x.test', password: 'Password1' }, 'most common'],
    ['a list of addresses', { email: ['a@x.test'], password: PASSWORD }, '"email" must be text'],
    [
      'an unknown field',
      { email: 'a@x.test', password: PASSWORD, verified: true },
      'unknown entry "verified"',
    ],
  ])('refuses %s in a sentence', async (_what, body, sentence) => {
    const answer = await running.browser().post('/api/auth/register', body)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(sentence)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('takes a long pass phrase whole', async () => {
    const phrase = 'ü'.repeat(100)
    const { email } = await anAccount(running, { password: `${phrase}1` })
    const login = (password: string) => running.browser().post('/api/auth/login', { email, password })
    expect(await login(`${phrase}2`)).toMatchObject({ status: 401 })
    expect(await login(`${phrase}1`)).toMatchObject({ status: 200 })
  })
})

describe('a verification code', () => {
  it('is dead after five wrong tries, also for the right code', async () => {
    const email = anAddress()
    const userId = await register(running.browser(), email)
    const code = await running.mails.code(email)
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await verify(userId, wrong(code))).toMatchObject(FAILURE)
    expect(await verify(userId, code)).toMatchObject(FAILURE)
  })

  it('is judged at most five times when 200 guesses come at once', async () => {
    const email = anAddress()
    const userId = await register(running.browser(), email)
    const code = await running.mails.code(email)
    const guesses = Array.from({ length: 200 }, (_, index) => (index < 199 ? wrong(code) : code))
    const forged = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index % 250}` })
    const answers = await Promise.all(
      guesses.map((guess, index) =>
        running.browser({ headers: forged(index) }).post('/api/auth/verify', { userId, code: guess }),
      ),
    )
    const left = await running.db
      .selectFrom('registrations')
      .select('code_tries_left')
      .where('id', '=', userId)
      .executeTakeFirst()
    expect(left?.code_tries_left ?? 0).toBe(0)
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await verify(userId, code)).toMatchObject(FAILURE)
  })

  it('works once', async () => {
    const email = anAddress()
    const userId = await register(running.browser(), email)
    const code = await running.mails.code(email)
    expect(await verify(userId, code)).toMatchObject({ status: 200 })
    expect(await verify(userId, code)).toMatchObject(FAILURE)
  })

  it('belongs to one attempt: nobody else can use it', async () => {
    const [mine, theirs] = [anAddress(), anAddress()]
    await register(running.browser(), mine)
    const other = await register(running.browser(), theirs)
    expect(await verify(other, await running.mails.code(mine))).toMatchObject(FAILURE)
  })

  it('expires after 15 minutes', async () => {
    const email = anAddress()
    const userId = await register(running.browser(), email)
    const code = await running.mails.code(email)
    const { expires } = await running.db
      .selectFrom('registrations')
      .select('code_expires_at as expires')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const minutes = ((expires?.getTime() ?? 0) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThanOrEqual(15.1)
    await running.db
      .updateTable('registrations')
      .set({ code_expires_at: new Date(0) })
      .where('id', '=', userId)
      .execute()
    expect(await verify(userId, code)).toMatchObject(FAILURE)
  })

  it('works for its 15 minutes also where the time to sign up ends meanwhile', async () => {
    const [email, former] = [anAddress(), anAddress()]
    const userId = await register(running.browser(), email)
    const over = await register(running.browser(), former)
    const code = await running.mails.code(email)
    await running.mails.code(former)
    const { db } = running
    const longAgo = { created_at: sql<Date>`now() - interval '24 hours 5 minutes'` }
    await db.updateTable('registrations').set(longAgo).where('id', 'in', [userId, over]).execute()
    const outdated = { code_expires_at: new Date(0) }
    await db.updateTable('registrations').set(outdated).where('id', '=', over).execute()
    await createAuthHousekeeping(db)()
    const left = await db.selectFrom('registrations').select('id').where('id', 'in', [userId, over]).execute()
    expect(left).toEqual([{ id: userId }])
    expect(await verify(userId, code)).toMatchObject({ status: 200 })
  })

  it('is replaced when asked again: only the newest works', async () => {
    const email = anAddress()
    const browser = running.browser()
    const userId = await register(browser, email)
    const first = await running.mails.code(email)
    expect(await browser.post('/api/auth/resend-verification', { userId })).toMatchObject({ status: 200 })
    const second = await running.mails.code(email, 2)
    if (first !== second) expect(await verify(userId, first)).toMatchObject(FAILURE)
    expect(await verify(userId, second)).toMatchObject({ status: 200 })
  })

  it('is mailed again at most three times an hour, and the answer does not tell', async () => {
    const email = anAddress()
    const browser = running.browser()
    const userId = await register(browser, email)
    const answers = []
    for (let call = 0; call < 100; call++)
      answers.push(await browser.post('/api/auth/resend-verification', { userId }))
    await running.settled()
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await running.mails.all(email)).toHaveLength(4)
  })

  it('is mailed to one address at most five times an hour, however many attempts there are', async () => {
    const email = anAddress()
    await Promise.all(Array.from({ length: 12 }, () => register(running.browser(), email)))
    await running.settled()
    expect(await running.mails.all(email)).toHaveLength(5)
  })

  it('is mailed to one address at most ten times a day', async () => {
    const email = anAddress()
    for (let hour = 1; hour <= 3; hour++) {
      await Promise.all(Array.from({ length: 6 }, () => register(running.browser(), email)))
      await running.settled()
      const earlier = sql<Date>`sent_at - interval '1 hour'`
      await running.db
        .updateTable('auth_mails')
        .set({ sent_at: earlier })
        .where('email_key', '=', email)
        .execute()
    }
    expect(await running.mails.all(email)).toHaveLength(10)
  })

  it('stands readable neither in the database nor in the log', async () => {
    const email = anAddress()
    await register(running.browser(), email)
    const code = await running.mails.code(email)
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(t::text, ' '), '') as text from (
        select r::text as t from registrations r union all select j::text from pgboss.job j) all_rows`.execute(
      running.db,
    )
    const stored = { where: 'the database', text: rows[0]?.text ?? '' }
    expect(stored.text).toContain(email)
    expect(escaped([{ name: 'the code', value: code }], [stored])).toEqual([])
    expect(running.logged()).not.toContain(`"${code}"`)
  })
})

describe('an address that has an account', () => {
  it('is answered like a new one, and its owner is told', async () => {
    const { email } = await anAccount(running)
    const fresh = await running
      .browser()
      .post('/api/auth/register', { email: anAddress(), password: PASSWORD })
    const known = await running
      .browser()
      .post('/api/auth/register', { email, password: 'something else entirely' })
    expect(known.status).toBe(fresh.status)
    expect(Object.keys(known.json() as object)).toEqual(Object.keys(fresh.json() as object))
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(fresh.headers).sort())
    const mail = await running.mails.latest(email, 2)
    expect(mail.subject).toBe('You already have a Postrider account')
    expect(mail.text).not.toMatch(/^\s*\d{6}\s*$/m)
  })

  it('gets no code, and accepts none, on any way', async () => {
    const { email } = await anAccount(running)
    const browser = running.browser()
    const decoy = await register(browser, email)
    await browser.post('/api/auth/resend-verification', { userId: decoy })
    await running.settled()
    const mails = await running.mails.all(email)
    expect(mails.filter(({ subject }) => subject.includes('code'))).toHaveLength(1)
    expect(await verify(decoy, '000000')).toMatchObject(FAILURE)
  })

  it('is told of foreign attempts at most three times an hour', async () => {
    const { email } = await anAccount(running)
    for (let attempt = 0; attempt < 8; attempt++) await register(running.browser(), email)
    await running.settled()
    expect(await running.mails.all(email)).toHaveLength(1 + 3)
  })
})
