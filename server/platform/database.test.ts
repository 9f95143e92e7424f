import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { PASSWORD } from '../test/accounts.ts'
import { expectBelow } from '../test/computing.ts'
import { emptyDatabase } from '../test/database.ts'
import { aWayTo, type DatabaseWay } from '../test/database-way.ts'
import { ownTime } from '../test/own-time.ts'
import { aPoolerTo } from '../test/pooler.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { until } from '../test/until.ts'
import { isDatabaseAway, openDatabase } from './database.ts'
import { createLog } from './log.ts'
import { migrate } from './migrate.ts'

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

const servesAgain = () =>
  until('it serves again', async () => (await running.browser().get('/readyz')).status === 200, 10_000)

it.each(['refuse', 'swallow'] as const)(
  'answers 503 with a sentence within two seconds while the database is away (%s), and serves again by itself',
  async (behaviour) => {
    await expectBelow(2_000, async () => {
      way.behave(behaviour)
      const passed = ownTime()
      const answers = await Promise.all(Array.from({ length: 30 }, signIn))
      const waited = passed()
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 503,
          text: 'The database cannot be reached at the moment. Please try again in a few seconds',
          headers: { 'retry-after': '5' },
        })
      expect(await running.browser().get('/readyz')).toMatchObject({ status: 503 })
      expect(await running.browser().get('/healthz')).toMatchObject({ status: 200 })

      way.behave('pass')
      await servesAgain()
      expect(await signIn()).toMatchObject({ status: 401 })
      return waited
    })
  },
)

it('takes a busy moment of its own for no silence of the database', { tags: 'thorough' }, async () => {
  const said = running.logged().length
  let questions = 0
  const busy = (words: string): boolean => {
    if (words.includes('select 1') && ++questions === 1)
      // The time for an answer is over before this process could hear one.
      for (const end = performance.now() + 1_150; performance.now() < end; );
    return false
  }
  way.resetAt(Object.assign(/select 1/, { test: busy }), 'before')
  await until('it was judged, and asked again', async () => questions > 1)
  expect(await signIn()).toMatchObject({ status: 401 })
  expect(running.logged().slice(said)).not.toContain('gives no answer')
})

it('sends the mails that waited for the database', async () => {
  way.behave('refuse')
  await signIn()
  way.behave('pass')
  await servesAgain()
  await running.browser().post('/api/auth/register', { email: 'late@x.test', password: PASSWORD })
  expect(await running.mails.code('late@x.test')).toMatch(/^\d{6}$/)
})

it('takes the locks away from a process that is frozen in the middle of a transaction', {
  tags: 'thorough',
}, async () => {
  const { db } = running
  const lock = sql`select from installation for update`
  const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>()
  const { promise: taken, resolve: hasTaken } = Promise.withResolvers<void>()
  // Nothing is asked in it meanwhile: so it looks to the database when a process has been stopped.
  const frozen = db.transaction().execute(async (tx) => {
    await lock.execute(tx)
    hasLocked()
    await taken
    await lock.execute(tx)
  })
  const outcome = frozen.then(
    () => 'it went on',
    (error: unknown) => isDatabaseAway(error),
  )
  await locked
  await lock.execute(db)
  hasTaken()
  expect(await outcome).toBe(true)
})

it('comes through a pooler that takes no settings of a connection, and takes locks away from the frozen there too', async () => {
  await using pooler = await aPoolerTo(inject('postgres').url)
  await using pooled = await aRunningApp({}, { databaseUrl: pooler.url })
  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(pooled.db)
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }])
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

it('a start goes on by itself when a connection breaks in the middle of it', {
  tags: 'thorough',
}, async () => {
  await using database = await emptyDatabase()
  await using broken = await aWayTo(database.url)
  const byIt = broken.url(database.url)
  broken.resetAt(/create table if not exists schema_migrations/i, 'before')
  await migrate(byIt, createLog('silent'))
  expect(broken.resets()).toBe(1)
  broken.resetAt(/insert into installation/i, 'before')
  await using late = await aRunningApp({}, { database, databaseUrl: broken.url })
  expect(broken.resets()).toBe(2)
  expect(await late.browser().get('/readyz')).toMatchObject({ status: 200 })
})

it('brings the tables forward, however little time the operator has given to a statement', {
  tags: 'thorough',
}, async () => {
  await using database = await emptyDatabase()
  const name = sql.ref(new URL(database.url).pathname.slice(1))
  // Read by connections that are made after it.
  await sql`alter database ${name} set statement_timeout = 200`.execute(running.db)
  await sql`alter database ${name} set lock_timeout = 200`.execute(running.db)
  const db = openDatabase(database.url, createLog('silent'), { isPatient: true })
  expect(await sql`select pg_sleep(0.5)`.execute(db)).toMatchObject({ rows: [{}] })
  await db.destroy()
  await migrate(database.url, createLog('silent'))
})
