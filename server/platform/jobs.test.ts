import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aWayTo } from '../test/database-way.ts'
import { until } from '../test/until.ts'
import { type JobKind, type Jobs, startJobs, TryAgain } from './jobs.ts'
import { createLog } from './log.ts'

const kind = (name: string): JobKind<{ n: number }> => ({
  name,
  options: { notify: true, retryLimit: 3, retryDelay: 1 },
})
const DONE = kind('done')
const BROKEN = kind('broken')
const LATER = kind('later')

let database: TestDatabase
let jobs: Jobs
const logged: string[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const log = createLog('debug', { write: (line) => void logged.push(line) })
  jobs = await startJobs({ url: database.url, log, kinds: [DONE, BROKEN, LATER], works: true })
})
afterAll(async () => {
  await jobs.stop()
  await database[Symbol.asyncDispose]()
})

it('a queue starts although the database is gone for a moment meanwhile, and then works', {
  tags: 'thorough',
}, async () => {
  const PATIENT = kind('patient')
  await using way = await aWayTo(database.url)
  for (const words of [/to_regclass/i, /create_queue/i, /update .*queue/is]) {
    const resets = way.resets()
    way.resetAt(words, 'before')
    const late = await startJobs({
      url: way.url(database.url),
      log: createLog('silent'),
      kinds: [PATIENT],
      works: true,
    })
    expect(way.resets(), String(words)).toBe(resets + 1)
    const done = Promise.withResolvers<number>()
    await late.work(PATIENT, async ({ n }) => done.resolve(n))
    await late.enqueue(database.db, PATIENT, { n: resets })
    expect(await done.promise).toBe(resets)
    await late.stop()
  }
})

describe('a job', () => {
  it('exists exactly when its transaction commits', async () => {
    const seen: number[] = []
    await jobs.work(DONE, async ({ n }) => void seen.push(n))
    const rolledBack = database.db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, DONE, { n: 1 })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await database.db.transaction().execute((tx) => jobs.enqueue(tx, DONE, { n: 2 }))
    await until('the job is done', async () => seen.length > 0)
    expect(seen).toEqual([2])
  })

  it('is done with hundreds of others in a second or two, not one a poll', { tags: 'thorough' }, async () => {
    const seen = new Set<number>()
    const MANY = kind('many')
    const more = await startJobs({ url: database.url, log: createLog('silent'), kinds: [MANY], works: true })
    await database.db.transaction().execute(async (tx) => {
      for (let n = 0; n < 300; n++) await more.enqueue(tx, MANY, { n })
    })
    await more.work(MANY, async ({ n }) => void seen.add(n))
    await until('all are done', async () => seen.size === 300)
    await more.stop()
  })

  it('that is under way when the process stops is let finish, and nobody does it again', async () => {
    const SLOW = kind('slow')
    const options = { url: database.url, log: createLog('silent'), kinds: [SLOW], works: true }
    const first = await startJobs(options)
    const steps: string[] = []
    await first.work(SLOW, async () => {
      steps.push('begun')
      await sql`select pg_sleep(0.3)`.execute(database.db)
      steps.push('done')
    })
    await database.db.transaction().execute((tx) => first.enqueue(tx, SLOW, { n: 1 }))
    await until('it has begun', async () => steps.length > 0)
    await first.stop()
    steps.push('stopped')
    expect(steps).toEqual(['begun', 'done', 'stopped'])
    const { rows } = await sql<{
      state: string
    }>`select state from pgboss.job where name = ${SLOW.name}`.execute(database.db)
    expect(rows).toEqual([{ state: 'completed' }])
  })

  it('that ended with its rows is not done again, although its process said nothing more', async () => {
    const ENDING = kind('ending')
    const own = await startJobs({ url: database.url, log: createLog('silent'), kinds: [ENDING], works: true })
    await sql`create table endings (n integer)`.execute(database.db)
    await own.work(ENDING, async ({ n }, _signal, finish) => {
      await database.db.transaction().execute(async (tx) => {
        await finish(tx)
        await sql`insert into endings values (${n})`.execute(tx)
      })
      throw new Error('died before the queue could hear of it')
    })
    await own.enqueue(database.db, ENDING, { n: 1 })
    const endings = async () =>
      (await sql<{ n: number }>`select n from endings`.execute(database.db)).rows.map(({ n }) => n)
    await until('it has ended', async () => (await endings()).length > 0)
    await own.stop()
    const { rows } = await sql<{ state: string }>`
      select state from pgboss.job where name = ${ENDING.name}`.execute(database.db)
    expect(rows).toEqual([{ state: 'completed' }])
    expect(await endings()).toEqual([1])
  })

  it('writes nothing by a try that the queue has given up', async () => {
    const GIVEN_UP = kind('given-up')
    const own = await startJobs({
      url: database.url,
      log: createLog('silent'),
      kinds: [GIVEN_UP],
      works: true,
    })
    await sql`create table tries (n integer)`.execute(database.db)
    let tries = 0
    await own.work(GIVEN_UP, async (_data, _signal, finish) => {
      tries += 1
      const n = tries
      // As its supervisor does when the heartbeat of a process was not heard for long.
      if (n === 1)
        await sql`update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now()
          where name = ${GIVEN_UP.name}`.execute(database.db)
      await database.db.transaction().execute(async (tx) => {
        await sql`insert into tries values (${n})`.execute(tx)
        await finish(tx)
      })
    })
    await own.enqueue(database.db, GIVEN_UP, { n: 1 })
    const written = async () =>
      (await sql<{ n: number }>`select n from tries`.execute(database.db)).rows.map(({ n }) => n)
    await until('it has ended', async () => (await written()).length > 0)
    await own.stop()
    expect(await written()).toEqual([2])
  })

  it('that fails is said in the log, and done again', async () => {
    let tries = 0
    await jobs.work(BROKEN, async () => {
      tries += 1
      if (tries < 3) throw new Error('a fault of ours')
    })
    await database.db.transaction().execute((tx) => jobs.enqueue(tx, BROKEN, { n: 1 }))
    await until('it succeeds', async () => tries === 3)
    const lines = logged.filter((line) => line.includes('background work failed'))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('a fault of ours')
    expect(lines[0]).toContain('"job":"broken"')
  })

  it('that is due again finds who is free, also beside one that takes long and others that are due too', {
    tags: 'thorough',
  }, async () => {
    const AGAIN = kind('again')
    const four = await startJobs({ url: database.url, log: createLog('silent'), kinds: [AGAIN], works: true })
    const tried = new Map<number, number>()
    const together = Promise.withResolvers<void>()
    let underWay = 0
    await four.work(AGAIN, async ({ n }) => {
      tried.set(n, (tried.get(n) ?? 0) + 1)
      if (n > 0 && tried.get(n) === 1) throw new TryAgain('not yet')
      underWay += 1
      if (underWay === 4) together.resolve()
      await together.promise
    })
    await database.db.transaction().execute(async (tx) => {
      for (const n of [0, 1, 2, 3]) await four.enqueue(tx, AGAIN, { n })
    })
    await until('all four are under way', () => underWay === 4)
    expect([...tried].sort()).toEqual([
      [0, 1],
      [1, 2],
      [2, 2],
      [3, 2],
    ])
    await four.stop()
  })

  it('that has said itself why it must wait is not told of twice', { tags: 'thorough' }, async () => {
    let tries = 0
    await jobs.work(LATER, async () => {
      tries += 1
      if (tries < 2) throw new TryAgain('the relay is busy')
    })
    await database.db.transaction().execute((tx) => jobs.enqueue(tx, LATER, { n: 1 }))
    await until('it succeeds', async () => tries === 2)
    expect(logged.join('')).not.toContain('the relay is busy')
  })
})
