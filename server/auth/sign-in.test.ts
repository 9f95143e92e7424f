import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGE_USER_HEADER } from '../../contract/auth.ts'
import { anAccount, anAddress, PASSWORD, register, signedIn } from '../test/accounts.ts'
import { from, someAddress } from '../test/callers.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'https://post.example.test', LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

const SESSION = '__Host-postrider_session'
const login = (email: string, password: string, browser = running.browser(from(someAddress()))) =>
  browser.post('/api/auth/login', { email, password })

describe('signing in', () => {
  it('gives a session to the right password and one sentence to everything else', async () => {
    const { email } = await anAccount(running)
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 })
    const wrongPassword = await login(email, 'not the password')
    const unknownAddress = await login(anAddress(), 'not the password')
    const noAddress = await login('nobody', 'not the password')
    expect(wrongPassword).toMatchObject({ status: 401, text: 'Invalid email or password' })
    for (const other of [unknownAddress, noAddress]) {
      expect({ status: other.status, text: other.text }).toEqual({ status: 401, text: wrongPassword.text })
      expect(Object.keys(other.headers)).toEqual(Object.keys(wrongPassword.headers))
    }
  })

  it('leads someone who has not verified yet to the code, but only with the right password', async () => {
    const email = anAddress()
    const userId = await register(running.browser(), email)
    const right = await login(email, PASSWORD)
    expect(right).toMatchObject({ status: 403, headers: { 'x-verify-user-id': userId } })
    const wrong = await login(email, 'not the password')
    expect(wrong).toMatchObject({ status: 401, text: 'Invalid email or password' })
    expect(wrong.headers).not.toHaveProperty('x-verify-user-id')
  })

  it('answers someone who has just signed up with the address the same, whether it had an account or not', async () => {
    const { email: known } = await anAccount(running)
    const unknown = anAddress()
    const answers = []
    for (const email of [known, unknown]) {
      const userId = await register(running.browser(), email, 'a password of my own')
      const answer = await login(email, 'a password of my own')
      expect(answer).toMatchObject({ status: 403, headers: { 'x-verify-user-id': userId } })
      answers.push(answer)
    }
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(Object.keys(answers[0]?.headers ?? {})).toEqual(Object.keys(answers[1]?.headers ?? {}))
    expect(await login(known, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('does not tell an earlier attempt that the owner of the address has confirmed meanwhile', async () => {
    const email = anAddress()
    const earlier = await register(running.browser(), email, 'a password of my own')
    expect(await login(email, 'a password of my own')).toMatchObject({ status: 403 })
    await running.settled()
    const owner = running.browser()
    const userId = await register(owner, email)
    const before = await login(email, 'a password of my own')
    await running.mails.latest(email, 2)
    const code = (await running.mails.all(email))
      .find(({ text }) => text.includes(userId))
      ?.text.match(/^\s*(\d{6})\s*$/m)?.[1]
    expect(await owner.post('/api/auth/verify', { userId, code })).toMatchObject({ status: 200 })
    const after = await login(email, 'a password of my own')
    expect(after).toMatchObject({ status: before.status, text: before.text })
    expect(Object.keys(after.headers)).toEqual(Object.keys(before.headers))
    // A code is still compared, which takes its time.
    await running.browser().post('/api/auth/verify', { userId: earlier, code: '000000' })
    const { tries } = await running.db
      .selectFrom('registrations')
      .select('code_tries_left as tries')
      .where('id', '=', earlier)
      .executeTakeFirstOrThrow()
    expect(tries).toBe(4)
  })
})

describe('a session', () => {
  it('is a new one at each sign-in, never one that the browser brought', async () => {
    const { email } = await anAccount(running)
    const browser = running.browser()
    browser.cookies.set(SESSION, 'preset-by-an-attacker-0123456789abcdef')
    await login(email, PASSWORD, browser)
    const first = browser.cookies.get(SESSION)
    expect(first).not.toBe('preset-by-an-attacker-0123456789abcdef')
    await login(email, PASSWORD, browser)
    const second = browser.cookies.get(SESSION)
    expect(second).not.toBe(first)
    const old = running.browser()
    old.cookies.set(SESSION, first ?? '')
    expect(await old.get('/api/auth/session')).toMatchObject({ status: 401, text: 'You are not signed in' })
    expect(await browser.get('/api/auth/session')).toMatchObject({ status: 200 })
  })

  it('holds 256 random bits, of which the database knows only the hash', async () => {
    const { browser } = await anAccount(running)
    const token = browser.cookies.get(SESSION) ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await running.db.selectFrom('sessions').select('token_hash').execute()
    expect(rows.map((row) => row.token_hash)).not.toContain(token)
  })

  it('has a cookie that no script, no other site and no plain connection gets', async () => {
    const { email } = await anAccount(running)
    const answer = await running.app.http.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { origin: 'https://post.example.test', 'content-type': 'application/json' },
      payload: JSON.stringify({ email, password: PASSWORD }),
    })
    const cookies = [answer.headers['set-cookie']].flat()
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-postrider_(session|device)=/)
      for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict'])
        expect(cookie).toContain(attribute)
      expect(cookie).not.toContain('Domain')
    }
  })

  it('is one of the fifty newest of its owner', async () => {
    const { email, userId, browser } = await anAccount(running)
    // To sign in takes its time on purpose; what came before the last time need only be there.
    for (let count = 0; count < 54; count++) await signedIn(running, userId)
    const newest = running.browser(from(someAddress()))
    expect(await login(email, PASSWORD, newest)).toMatchObject({ status: 200 })
    const sessions = await running.db
      .selectFrom('sessions')
      .select('user_id')
      .where('user_id', '=', userId)
      .execute()
    expect(sessions).toHaveLength(50)
    expect(await browser.get('/api/auth/session')).toMatchObject({ status: 401 })
    expect(await newest.get('/api/auth/session')).toMatchObject({ status: 200 })
  })

  it('ends on the server at sign-out', async () => {
    const { browser } = await anAccount(running)
    const token = browser.cookies.get(SESSION) ?? ''
    expect(await browser.post('/api/auth/logout', {})).toMatchObject({ status: 200 })
    expect(browser.cookies.has(SESSION)).toBe(false)
    browser.cookies.set(SESSION, token)
    expect(await browser.get('/api/auth/session')).toMatchObject({ status: 401 })
  })

  it('does not end at the sign-out of a page that was opened under another account', async () => {
    const [ann, ben] = [await anAccount(running), await anAccount(running)]
    const signOut = (pageUser: string) =>
      ben.browser.post('/api/auth/logout', {}, { [PAGE_USER_HEADER]: pageUser })
    expect(await signOut(ann.userId)).toMatchObject({ status: 200 })
    expect(await ben.browser.get('/api/auth/session')).toMatchObject({ status: 200 })
    expect(await signOut(ben.userId)).toMatchObject({ status: 200 })
    expect(await ben.browser.get('/api/auth/session')).toMatchObject({ status: 401 })
  })

  it('ends after two weeks without use and after three months in any case', async () => {
    for (const column of ['last_seen_at', 'created_at'] as const) {
      const { browser, userId } = await anAccount(running)
      const days = column === 'last_seen_at' ? 14 : 90
      const age = async (minutes: number) =>
        running.db
          .updateTable('sessions')
          .set({ [column]: new Date(Date.now() - days * 86_400_000 + minutes * 60_000) })
          .where('user_id', '=', userId)
          .execute()
      await age(5)
      expect(await browser.get('/api/auth/session')).toMatchObject({ status: 200 })
      await age(-5)
      expect(await browser.get('/api/auth/session')).toMatchObject({ status: 401 })
    }
  })

  it('lets nothing be written by a page that was opened under another account', async () => {
    const [ann, ben] = [await anAccount(running), await anAccount(running)]
    const template = { name: 'A letter of Ann', subject: 'News', body: 'Hello' }
    const write = (headers?: Record<string, string>) => ben.browser.post('/api/templates', template, headers)
    const kept = async () => (await ben.browser.get('/api/templates')).json()
    expect(await write({ [PAGE_USER_HEADER]: ann.userId })).toMatchObject({
      status: 409,
      text: 'Another account is signed in now than when this page was opened, so nothing was done',
    })
    expect(await kept()).toEqual([])
    expect(await write({ [PAGE_USER_HEADER]: ben.userId })).toMatchObject({ status: 200 })
    expect(await write()).toMatchObject({ status: 200 })
    expect(await kept()).toHaveLength(2)
  })
})
