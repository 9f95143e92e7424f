import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { aStoppedClock } from '../test/stopped-clock.ts'
import { copyingTransaction } from './copying.ts'

const AT_ONCE = 4
let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(() => running[Symbol.asyncDispose]())

/** Lists of one user, of which each is stored when it is told to. */
function listsOf(userId: string, count: number) {
  let begun = 0
  const ends: (() => void)[] = []
  let somethingBegins = () => {}
  const all = Promise.allSettled(
    Array.from({ length: count }, () =>
      copyingTransaction(running.db, userId, () => {
        begun += 1
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.push(resolve)
        somethingBegins()
        return promise
      }),
    ),
  )
  return {
    begun: () => begun,
    async untilBegun(number: number): Promise<void> {
      while (begun < number) await new Promise<void>((resolve) => (somethingBegins = resolve))
    },
    storeOne: () => ends.shift()?.(),
    async [Symbol.asyncDispose](): Promise<void> {
      for (let number = 1; number <= count; number += 1) {
        await this.untilBegun(number)
        this.storeOne()
      }
      await all
    },
  }
}

it('the list of another user is stored next, however many one has waiting', async () => {
  let before = 0
  {
    await using lists = listsOf('ann', 40)
    await lists.untilBegun(AT_ONCE)
    void copyingTransaction(running.db, 'bob', async () => {
      before = lists.begun()
    })
  }
  // Those that were being stored already, one whose turn it was, and what ended while he got a connection.
  expect(before).toBeGreaterThanOrEqual(AT_ONCE)
  expect(before).toBeLessThan(20)
})

it('an email to one person is taken although another user has many long lists waiting', async () => {
  const [ann, bob] = [await aUser(running), await aUser(running)]
  await using lists = listsOf(ann.userId, 40)
  await lists.untilBegun(AT_ONCE)
  let answer: { status: number } | null = null
  const email = { recipients: ['p@example.test'], subject: 'Hello', body: 'One line' }
  const sending = bob.browser.post('/api/send-email', email).then((said) => {
    answer = said
  })
  for (let stored = 1; stored <= 20 && answer === null; stored += 1) {
    lists.storeOne()
    // As long as a request takes, so that the email stands in line after the first few however slow the machine is.
    await bob.browser.get('/api/templates')
    await Promise.race([sending, lists.untilBegun(AT_ONCE + stored)])
  }
  expect(answer).toMatchObject({ status: 200 })
})

it('who waits for too long is refused in a sentence, and nothing is stored', async () => {
  await using lists = listsOf('ann', AT_ONCE)
  await lists.untilBegun(AT_ONCE)
  let hasBegun = false
  {
    using clock = aStoppedClock()
    const other = copyingTransaction(running.db, 'bob', async () => {
      hasBegun = true
    })
    const [refused] = await Promise.allSettled([other, clock.pass(20_000)])
    expect(refused).toMatchObject({
      reason: {
        status: 503,
        message:
          'Too many lists are being stored at this moment, so nothing was sent. Please try again in a few seconds',
        headers: { 'retry-after': '5' },
      },
    })
  }
  expect(hasBegun).toBe(false)
})
