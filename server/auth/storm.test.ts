import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({}, { isCostly: true })
})
afterAll(() => running[Symbol.asyncDispose]())

it('serves 200 sign-ups at once with bounded memory, and makes one account of one address', async () => {
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const spellings = ['storm@example.test', 'STORM@example.test', 'Storm@Example.Test.', ' storm@EXAMPLE.test']
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      running.browser().post('/api/auth/register', { email: spellings[index % 4], password: PASSWORD }),
    ),
  )
  clearInterval(watch)
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
  // 200 hashes of 46 MiB each would be 9 GiB; a few at a time stay far below.
  expect((peak - before) / 1024 / 1024).toBeLessThan(400)

  await running.settled()
  const mails = await running.mails.all('storm@example.test')
  const results = await Promise.all(
    mails.map(({ text }) => {
      const { searchParams } = new URL(text.match(/https?:\S+verify-email\S+/)?.[0] ?? '')
      return running.browser().post('/api/auth/verify', Object.fromEntries(searchParams))
    }),
  )
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
  const users = await running.db.selectFrom('users').select('email_key').execute()
  expect(users).toEqual([{ email_key: 'storm@example.test' }])
})

it('slows a caller down who signs up hundreds of addresses, in a sentence', async () => {
  const statuses = new Map<number, number>()
  for (let index = 0; index < 250; index++) {
    const { status, text } = await running
      .browser()
      .post('/api/auth/register', { email: `s${index}@example.test`, password: 'short' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 429) expect(text).toMatch(/^Too many attempts\. Please wait \d+ seconds? and try again$/)
  }
  // A request that is refused for its form costs nothing and counts for nothing.
  expect(statuses).toEqual(new Map([[400, 250]]))
  const more = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      running.browser().post('/api/auth/register', { email: `m${index}@example.test`, password: PASSWORD }),
    ),
  )
  const answered = more.map(({ status }) => status)
  expect(answered.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100)
  expect(answered).toContain(429)
  expect(answered.every((status) => status === 200 || status === 429)).toBe(true)
})
