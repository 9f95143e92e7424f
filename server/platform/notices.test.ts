import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { closedAfterEach } from '../test/closing.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { aWayTo, type DatabaseWay } from '../test/database-way.ts'
import { until } from '../test/until.ts'
import { isDatabaseAway } from './database.ts'
import { createLog } from './log.ts'
import { createNotices } from './notices.ts'

let database: TestDatabase
/** Only listening goes this way: what is published comes to the database in any case. */
let way: DatabaseWay
beforeAll(async () => {
  database = await freshDatabase()
  way = await aWayTo(inject('postgres').url)
})
afterAll(async () => {
  await way[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
const opened = closedAfterEach()

const AN_HOUR_MS = 3_600_000

function listener(pace: { askEveryMs: number; patienceMs: number }) {
  const { db, url } = database
  const notices = createNotices({ db, url: way.url(url), log: createLog('error'), pace })
  const heard: string[] = []
  let losses = 0
  opened({
    async close() {
      way.behave('pass')
      await notices.stop()
    },
  })
  return {
    stop: notices.stop,
    losses: () => losses,
    publish: (id: string) => notices.publish({ userId: 'ann', kind: 'campaign', id }),
    subscribe: () =>
      notices.subscribe({
        userId: 'ann',
        heard: ({ id }) => void heard.push(id),
        lost: () => {
          losses += 1
        },
      }),
    async hears(id: string) {
      this.publish(id)
      await until(`${id} is heard`, () => heard.includes(id))
    },
  }
}

it('tells who listens that nothing is heard when the network has forgotten the line, and hears anew', {
  tags: 'thorough',
}, async () => {
  const ann = listener({ askEveryMs: 50, patienceMs: 2_000 })
  await ann.subscribe()
  await ann.hears('before')
  way.behave('swallow')
  ann.publish('meanwhile')
  await until('the line is given up', () => ann.losses() === 1)
  way.behave('pass')
  await ann.subscribe()
  await ann.hears('after')
  expect(ann.losses()).toBe(1)
})

it('leaves a line alone that answers, however often it is asked', async () => {
  const ann = listener({ askEveryMs: 20, patienceMs: 20_000 })
  await ann.subscribe()
  const asked = new Set<string>()
  await until('it was asked five times', async () => {
    const { rows } = await sql<{ at: string }>`select query_start::text as at from pg_stat_activity
      where datname = current_database() and application_name = 'postrider notices' and query = 'select 1'`.execute(
      database.db,
    )
    for (const { at } of rows) asked.add(at)
    return asked.size >= 5
  })
  await ann.hears('then')
  expect(ann.losses()).toBe(0)
})

it('takes a busy moment of its own for no silence of the line', { tags: 'thorough' }, async () => {
  const ann = listener({ askEveryMs: 50, patienceMs: 1_000 })
  await ann.subscribe()
  let questions = 0
  const busy = (words: string): boolean => {
    if (words.includes('select 1') && ++questions === 1)
      // The time for an answer is over before this process could hear one.
      for (const end = performance.now() + 1_150; performance.now() < end; );
    return false
  }
  way.resetAt(Object.assign(/select 1/, { test: busy }), 'before')
  await until('it was judged, and asked again', () => questions > 1)
  await ann.hears('then')
  expect(ann.losses()).toBe(0)
})

it('keeps nobody waiting for a line that is silent from the first, and makes another for who comes next', {
  tags: 'thorough',
}, async () => {
  const ann = listener({ askEveryMs: AN_HOUR_MS, patienceMs: 2_000 })
  way.behave('swallow')
  const failure = await ann.subscribe().catch((error: unknown) => error)
  expect(isDatabaseAway(failure), String(failure)).toBe(true)
  way.behave('pass')
  await ann.subscribe()
  await ann.hears('then')
})

it('stops although its line is silent', async () => {
  const ann = listener({ askEveryMs: AN_HOUR_MS, patienceMs: 500 })
  await ann.subscribe()
  way.behave('hold')
  await ann.stop()
})
