import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAccount, anAddress, PASSWORD, register } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'http://post.example.test:8080', LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

const NEW_PASSWORD = 'quite another phrase'
const forgot = (email: unknown, headers: Record<string, string> = {}) =>
  running.browser().post('/api/auth/forgot-password', { email }, headers)
const reset = (token: string, password = NEW_PASSWORD) =>
  running.browser().post('/api/auth/reset-password', { token, password })
const login = (email: string, password: string) =>
  running.browser().post('/api/auth/login', { email, password })

async function aResetToken(email: string, count = 2): Promise<string> {
  await forgot(email)
  return (await running.mails.link(email, '/reset-password', count)).searchParams.get('token') ?? ''
}

describe('a forgotten password', () => {
  it('is replaced by the link that was mailed', async () => {
    const { email } = await anAccount(running)
    const token = await aResetToken(email)
    expect(await running.browser().get(`/api/auth/reset-password/${token}`)).toMatchObject({ status: 200 })
    expect(await reset(token)).toMatchObject({ status: 200 })
    expect(await login(email, PASSWORD)).toMatchObject({ status: 401 })
    expect(await login(email, NEW_PASSWORD)).toMatchObject({ status: 200 })
    expect(await running.mails.latest(email, 3)).toMatchObject({
      subject: 'Your Postrider password was changed',
    })
  })

  it('ends every session of the account', async () => {
    const { email, browser } = await anAccount(running)
    const elsewhere = running.browser()
    await elsewhere.post('/api/auth/login', { email, password: PASSWORD })
    await reset(await aResetToken(email))
    for (const old of [browser, elsewhere])
      expect(await old.get('/api/auth/session')).toMatchObject({ status: 401 })
  })

  it('leaves no way in for a sign-in with the old password that was under way', async () => {
    const { email } = await anAccount(running)
    const token = await aResetToken(email)
    // Enough work in the queue that the old password is compared before the reset and answered after it.
    const crowd = Array.from({ length: 30 }, () => login(anAddress(), PASSWORD))
    const resetting = reset(token)
    const old = Array.from({ length: 6 }, () => running.browser()).map((browser) => ({
      browser,
      answer: browser.post('/api/auth/login', { email, password: PASSWORD }),
    }))
    expect(await resetting).toMatchObject({ status: 200 })
    await Promise.all(crowd)
    for (const { browser, answer } of old) {
      await answer
      expect(await browser.get('/api/auth/session')).toMatchObject({ status: 401 })
    }
  })

  it('is answered the same for known, unverified and unknown addresses, and only the owner gets mail', async () => {
    const { email } = await anAccount(running)
    const unverified = anAddress()
    await register(running.browser(), unverified)
    const unknown = anAddress()
    const answers = [await forgot(email), await forgot(unverified), await forgot(unknown)]
    for (const { status, text, headers } of answers) {
      expect(status).toBe(200)
      expect(text).toBe(answers[0]?.text)
      expect(Object.keys(headers)).toEqual(Object.keys(answers[0]?.headers ?? {}))
    }
    expect(answers[0]?.json()).toEqual({
      message: 'If an account exists with that email, a password reset link has been sent.',
    })
    await running.settled()
    expect(await running.mails.all(unknown)).toHaveLength(0)
    expect((await running.mails.all(unverified)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('is your Postrider code'),
    ])
  })

  it('is mailed at most three times an hour', async () => {
    const { email } = await anAccount(running)
    const answers = []
    for (let call = 0; call < 100; call++) answers.push(await forgot(email))
    await running.settled()
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await running.mails.all(email)).toHaveLength(1 + 3)
  })

  it('never goes to two addresses', async () => {
    const { email } = await anAccount(running)
    for (const body of [
      [email, 'x@evil.test'],
      { 0: email },
      `${email},x@evil.test`,
      `${email}\nx@evil.test`,
    ])
      expect(await forgot(body)).toMatchObject({ status: 400 })
    await running.settled()
    expect(await running.mails.all(email)).toHaveLength(1)
    expect(await running.mails.all('x@evil.test')).toHaveLength(0)
  })

  it('has its link from PUBLIC_URL, whatever host the request names', async () => {
    const { email } = await anAccount(running)
    await forgot(email, {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      forwarded: 'host=evil.test;proto=https',
      'x-forwarded-proto': 'https',
    })
    const mail = await running.mails.latest(email, 2)
    const links = [...`${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(
      ([url]) => new URL(url),
    )
    expect(links.length).toBeGreaterThan(1)
    for (const { origin } of links)
      expect(['http://post.example.test:8080', 'http://www.w3.org']).toContain(origin)
  })
})

describe('a reset link', () => {
  it('works once, and its siblings with it', async () => {
    const { email } = await anAccount(running)
    const first = await aResetToken(email)
    const second = await aResetToken(email, 3)
    expect(await reset(first)).toMatchObject({ status: 200 })
    for (const spent of [first, second]) {
      expect(await reset(spent, 'a third pass phrase')).toMatchObject({
        status: 400,
        text: 'This reset link is invalid or has expired. Please request a new one',
      })
      expect(await running.browser().get(`/api/auth/reset-password/${spent}`)).toMatchObject({ status: 404 })
    }
  })

  it('is spent once when it is used twenty times at once', async () => {
    const { email } = await anAccount(running)
    const token = await aResetToken(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reset(token, `phrase number ${index}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('and another of the same account, used at the same moment, spend each other', async () => {
    for (let round = 0; round < 5; round++) {
      const { email } = await anAccount(running)
      const tokens = [await aResetToken(email), await aResetToken(email, 3)]
      const answers = await Promise.all(tokens.map((token) => reset(token)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })

  it('expires after one hour', async () => {
    const { email, userId } = await anAccount(running)
    const token = await aResetToken(email)
    const row = await running.db
      .selectFrom('password_resets')
      .select('expires_at')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    expect(((row?.expires_at.getTime() ?? 0) - Date.now()) / 60_000).toBeCloseTo(60, 0)
    await running.db
      .updateTable('password_resets')
      .set({ expires_at: new Date(0) })
      .where('user_id', '=', userId)
      .execute()
    expect(await reset(token)).toMatchObject({ status: 400 })
  })

  it('is not spent by a password that is refused', async () => {
    const { email } = await anAccount(running)
    const token = await aResetToken(email)
    expect(await reset(token, 'short')).toMatchObject({ status: 400 })
    expect(await reset(token, 'password123')).toMatchObject({ status: 400 })
    expect(await reset(token)).toMatchObject({ status: 200 })
  })

  it('stands readable neither in the database nor in the log', async () => {
    const { email } = await anAccount(running)
    const token = await aResetToken(email)
    await running.browser().get(`/api/auth/reset-password/${token}`)
    await reset(token)
    const rows = await running.db.selectFrom('password_resets').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    for (const secret of [token, NEW_PASSWORD, PASSWORD]) expect(running.logged()).not.toContain(secret)
  })
})
