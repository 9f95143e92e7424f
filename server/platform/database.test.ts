import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { PASSWORD } from '../test/accounts.ts'
import { aWayTo, type DatabaseWay } from '../test/database-way.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { until } from '../test/until.ts'
import { isDatabaseAway } from './database.ts'

let way: DatabaseWay
let running: RunningApp
beforeAll(async () => {
  way = await aWayTo(inject('postgres').url)
  running = await aRunningApp({}, { databaseUrl: way.url })
})
afterAll(async () => {
  way.behave('pass')
  await running[Symbol.asyncDispose]()
  await way[Symbol.asyncDispose]()
})

const signIn = () => running.browser().post('/api/auth/login', { email: 'a@x.test', password: PASSWORD })

it.each(['refuse', 'swallow'] as const)(
  'answers 503 with a sentence within two seconds while the database is away (%s), and serves again by itself',
  async (behaviour) => {
    way.behave(behaviour)
    const start = performance.now()
    const answers = await Promise.all(Array.from({ length: 30 }, signIn))
    expect(performance.now() - start).toBeLessThan(2_000)
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 503,
        text: 'The database cannot be reached at the moment. Please try again in a few seconds',
        headers: { 'retry-after': '5' },
      })
    expect(await running.browser().get('/readyz')).toMatchObject({ status: 503 })
    expect(await running.browser().get('/healthz')).toMatchObject({ status: 200 })

    way.behave('pass')
    await until(
      'it serves again',
      async () => (await running.browser().get('/readyz')).status === 200,
      10_000,
    )
    expect(await signIn()).toMatchObject({ status: 401 })
  },
)

it('sends the mails that waited for the database', async () => {
  way.behave('refuse')
  await signIn()
  way.behave('pass')
  await until('it serves again', async () => (await running.browser().get('/readyz')).status === 200, 10_000)
  await running.browser().post('/api/auth/register', { email: 'late@x.test', password: PASSWORD })
  expect(await running.mails.code('late@x.test')).toMatch(/^\d{6}$/)
})

it('takes the locks away from a process that is frozen in the middle of a transaction', async () => {
  const { db } = running
  const lock = sql`select from installation for update`
  // Nothing is asked in it again: so it looks to the database when a process has been stopped.
  const frozen = db.transaction().execute(async (tx) => {
    await lock.execute(tx)
    await new Promise((resolve) => setTimeout(resolve, 7_000))
    await lock.execute(tx)
  })
  const outcome = frozen.then(
    () => 'it went on',
    (error: unknown) => isDatabaseAway(error),
  )
  await until('it has the lock', async () => {
    const { rows } = await sql`select from pg_locks where mode = 'RowShareLock' and granted`.execute(db)
    return rows.length > 0
  })
  await lock.execute(db)
  expect(await outcome).toBe(true)
})

it.each([
  [Object.assign(new Error('x'), { code: '57P01' }), true],
  [Object.assign(new Error('x'), { code: '53100' }), true],
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), true],
  [new Error('Connection terminated unexpectedly'), true],
  [Object.assign(new Error('duplicate key'), { code: '23505' }), false],
  [new Error('anything else'), false],
  ['no error at all', false],
])('knows whether it is the way to the database that failed: %s', (error, isAway) => {
  expect(isDatabaseAway(error)).toBe(isAway)
})
