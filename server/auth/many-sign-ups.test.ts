import { expect, it } from 'vitest'
import { PASSWORD } from '../test/accounts.ts'
import { aRunningApp } from '../test/running-app.ts'

it('slows a caller down who signs up hundreds of addresses, in a sentence', async () => {
  await using running = await aRunningApp()
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
  const answered: number[] = []
  // A few at a time, as many as find a connection to the database at once: none has to wait for one.
  while (answered.length < 350) {
    const some = Array.from({ length: 10 }, (_, index) =>
      running.browser().post('/api/auth/register', {
        email: `m${answered.length + index}@example.test`,
        password: PASSWORD,
      }),
    )
    answered.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  expect(answered.filter((status) => status === 200).length).toBeGreaterThanOrEqual(300)
  expect(answered).toContain(429)
  expect(answered.every((status) => status === 200 || status === 429)).toBe(true)
})
