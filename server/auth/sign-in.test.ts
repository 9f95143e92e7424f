import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAccount, anAddress, PASSWORD, register, signedIn } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'https://post.example.test', LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

const SESSION = '__Host-postrider_session'
const DEVICE = '__Host-postrider_device'
/** As a reverse proxy says it: the last entry is the caller. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
let addresses = 0
const someAddress = () => `198.51.100.${++addresses}`
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
    await register(running.browser(), email, 'a password of my own')
    expect(await login(email, 'a password of my own')).toMatchObject({ status: 403 })
    await running.settled()
    const userId = await register(running.browser(), email)
    await running.mails.latest(email, 2)
    const code = (await running.mails.all(email))
      .find(({ text }) => text.includes(userId))
      ?.text.match(/^\s*(\d{6})\s*$/m)?.[1]
    expect(await running.browser().post('/api/auth/verify', { userId, code })).toMatchObject({ status: 200 })
    await register(running.browser(), email, 'a password of my own')
    expect(await login(email, 'a password of my own')).toMatchObject({ status: 403 })
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
})

describe('guessing passwords', () => {
  it('is slowed down for the guesser, and the owner still gets in', async () => {
    const { email, browser } = await anAccount(running)
    const attacker = someAddress()
    const statuses: number[] = []
    // Twenty-five at a time, as whoever guesses would do it.
    for (let guess = 0; guess < 1000; guess += 25) {
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          login(email, `guess ${guess + n}`, running.browser(from(attacker))),
        ),
      )
      statuses.push(...answers.map(({ status }) => status))
    }
    // What the attacker was allowed: the burst, and what trickled back meanwhile.
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(20)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    // From the browser that knows the account, at the attacker's own address even; and from anywhere else.
    await browser.post('/api/auth/logout', {})
    expect(await login(email, PASSWORD, browser)).toMatchObject({ status: 200 })
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('from many addresses does not keep the owner out of a browser that knows the account', async () => {
    const { email, browser } = await anAccount(running)
    const statuses: number[] = []
    for (let guess = 0; guess < 80; guess++) statuses.push((await login(email, `guess ${guess}`)).status)
    expect(statuses).toContain(429)
    const refused = await login(email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/^Too many attempts\. Please wait \d+ seconds? and try again$/)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(20)
    expect(await login(email, PASSWORD, browser)).toMatchObject({ status: 200 })
  })

  it('is not helped by a forged or foreign device cookie', async () => {
    const victim = await anAccount(running)
    const other = await anAccount(running)
    const device = other.browser.cookies.get(DEVICE) ?? ''
    const attacker = running.browser(from(someAddress()))
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess++) {
      attacker.cookies.set(DEVICE, guess % 2 ? device : `forged${guess}.c2ln`)
      statuses.push((await login(victim.email, 'guess', attacker)).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('cannot be steered into the bucket of another account by a clever address', async () => {
    const { email } = await anAccount(running)
    const owner = someAddress()
    for (let guess = 0; guess < 15; guess++) {
      await login(`${email} from ${owner}`, 'guess')
      await login(`${email}","${owner}`, 'guess')
    }
    expect(await login(email, PASSWORD, running.browser(from(owner)))).toMatchObject({ status: 200 })
  })

  it('counts a whole IPv6 network as one caller, and a port after the address as nothing', async () => {
    const { email } = await anAccount(running)
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess++)
      statuses.push((await login(email, 'guess', running.browser(from(`2600:3c00::${guess}:1:2:3`)))).status)
    expect(statuses.at(-1)).toBe(429)
    const other = await anAccount(running)
    for (let guess = 0; guess < 15; guess++)
      statuses.push(
        (await login(other.email, 'guess', running.browser(from(`198.18.0.1:${4000 + guess}`)))).status,
      )
    expect(statuses.at(-1)).toBe(429)
  })

  it('does not get fresh attempts by signing in again, nor by a device from before a reset', async () => {
    const { email, browser } = await anAccount(running)
    const device = browser.cookies.get(DEVICE)
    await login(email, PASSWORD, browser)
    expect(browser.cookies.get(DEVICE)).toBe(device)
    await running.browser().post('/api/auth/forgot-password', { email })
    const token = (await running.mails.link(email, '/reset-password', 2)).searchParams.get('token')
    await running.browser().post('/api/auth/reset-password', { token, password: 'quite another phrase' })
    await login(email, 'quite another phrase', browser)
    expect(browser.cookies.get(DEVICE)?.split('.')[0]).not.toBe(device?.split('.')[0])
  })

  it('is not reset by a client that writes its own X-Forwarded-For', async () => {
    const { email } = await anAccount(running)
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess++)
      statuses.push(
        (await login(email, 'guess', running.browser(from(`203.0.113.${guess}, 192.0.2.7`)))).status,
      )
    expect(statuses.at(-1)).toBe(429)
  })
})
