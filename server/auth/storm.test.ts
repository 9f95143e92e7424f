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
  const browsers = Array.from({ length: 200 }, () => running.browser())
  const answers = await Promise.all(
    browsers.map((browser, index) =>
      browser.post('/api/auth/register', { email: spellings[index % 4], password: PASSWORD }),
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
      const { userId, code } = Object.fromEntries(searchParams)
      const browser = browsers[answers.findIndex(({ text }) => text.includes(String(userId)))]
      return browser?.post('/api/auth/verify', { userId, code })
    }),
  )
  expect(results.filter((answer) => answer?.status === 200)).toHaveLength(1)
  const users = await running.db.selectFrom('users').select('email_key').execute()
  expect(users).toEqual([{ email_key: 'storm@example.test' }])
})
