import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, PASSWORD, register } from '../test/accounts.ts'
import type { Browser } from '../test/browser.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'https://post.example.test', LOCAL_MAILBOX: 'on' })
})
afterAll(() => running[Symbol.asyncDispose]())

const ATTEMPTS = '__Host-postrider_attempts'
const INVALID = { status: 400, text: 'Invalid verification code, or it has expired' }
const ELSEWHERE = {
  status: 400,
  text: 'Please enter the code on the page where you signed up, or sign up again in this browser',
}
const login = (email: string, password: string) =>
  running.browser().post('/api/auth/login', { email, password })

/** Presses the button in the newest mail about an attempt. */
async function press(browser: Browser, email: string, userId: string) {
  await running.settled()
  const mail = (await running.mails.all(email)).find(({ text }) => text.includes(userId))
  const { searchParams } = new URL(mail?.text.match(/https?:\S+verify-email\S+/)?.[0] ?? '')
  return browser.post('/api/auth/verify', Object.fromEntries(searchParams))
}

describe('of several attempts at one address', () => {
  it('one makes the account, however the address is spelled', async () => {
    const spellings = [
      'Zoë.Case@Example.TEST',
      'zoë.case@example.test'.normalize('NFD'),
      'zoë.case@example.test.',
    ]
    const attempts = await Promise.all(
      spellings.map(async (email) => {
        const browser = running.browser()
        return { browser, userId: await register(browser, email) }
      }),
    )
    const results = await Promise.all(
      attempts.map(({ browser, userId }) => press(browser, 'zoë.case@example.test', userId)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const users = await running.db
      .selectFrom('users')
      .select('id')
      .where('email_key', 'like', 'zo%')
      .execute()
    expect(users).toHaveLength(1)
  })

  it('none is confirmed by the button in its mail but in the browser in which it was made', async () => {
    const email = anAddress()
    const [attacker, owner] = [running.browser(), running.browser()]
    const theirs = await register(attacker, email, 'the attacker was first')
    const mine = await register(owner, email, PASSWORD)
    await running.settled()
    // Their mail is the newest now.
    await attacker.post('/api/auth/resend-verification', { userId: theirs })
    for (const browser of [owner, running.browser()])
      expect(await press(browser, email, theirs)).toMatchObject(ELSEWHERE)
    expect(await press(running.browser(), email, mine)).toMatchObject(ELSEWHERE)

    expect(await press(owner, email, mine)).toMatchObject({ status: 200 })
    expect(await login(email, 'the attacker was first')).toMatchObject({ status: 401 })
    expect(await login(email, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('one stays the rival of a later one as long as its last code is good', async () => {
    const email = anAddress()
    const owner = running.browser()
    const mine = await register(owner, email)
    const theirs = await register(running.browser(), email, 'a stranger came later')
    const dayAgo = { created_at: sql<Date>`now() - interval '24 hours 5 minutes'` }
    await running.db.updateTable('registrations').set(dayAgo).where('id', '=', mine).execute()
    expect(await press(running.browser(), email, theirs)).toMatchObject(ELSEWHERE)
    expect(await press(owner, email, mine)).toMatchObject({ status: 200 })
  })

  it('each that was made in one browser can be confirmed there, the newest and those before it', async () => {
    for (const which of [0, 1]) {
      const email = anAddress()
      const browser = running.browser()
      const first = await register(browser, email)
      await register(browser, anAddress('somebody-else'))
      const attempts = [first, await register(browser, email, 'chosen at the second time')]
      expect(await press(browser, email, attempts[which] ?? '')).toMatchObject({ status: 200 })
    }
  })

  it('nobody learns without the code', async () => {
    const email = anAddress()
    const [alone, contested] = [anAddress(), email]
    await register(running.browser(), contested)
    const answers = await Promise.all(
      [alone, contested].map(async (address) => {
        const userId = await register(running.browser(), address)
        await running.settled()
        return running.browser().post('/api/auth/verify', { userId, code: '000000' })
      }),
    )
    for (const answer of answers) expect(answer).toMatchObject(INVALID)
  })
})

describe('the attempts of a browser', () => {
  it('stand in a cookie that no script and no other site gets, and that names none of them', async () => {
    const answer = await running.app.http.inject({
      method: 'POST',
      url: '/api/auth/register',
      headers: { origin: 'https://post.example.test', 'content-type': 'application/json' },
      payload: JSON.stringify({ email: anAddress(), password: PASSWORD }),
    })
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(new RegExp(`^${ATTEMPTS}=`))
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict'])
      expect(cookie).toContain(attribute)
    expect(cookie).not.toContain((answer.json() as { userId: string }).userId)
  })

  it('are the five newest, so that the cookie does not grow', async () => {
    const browser = running.browser()
    for (let count = 0; count < 8; count++) await register(browser, anAddress())
    expect(browser.cookies.get(ATTEMPTS)?.split('.')).toHaveLength(5)
  })
})
