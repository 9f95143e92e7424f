import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { type Jobs, startJobs } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { createSecrets } from '../platform/secrets.ts'
import type { Outcome } from '../providers/provider.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { resealQueuedMail } from './reseal.ts'
import { createProductMail, PRODUCT_MAIL, type ProductMail } from './service.ts'

const OLD = createSecrets('a key that is long enough for a test')
const NEW = createSecrets('another key that is long enough, too')
const LOST = createSecrets('a key that nobody has any more, alas')

const mailTo = (to: string): ProductMail => ({
  to,
  subject: 'Your campaign is paused',
  content: { preview: 'Paused', heading: 'Paused', intro: ['It waits for you.'], reason: 'You sent it.' },
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function aService(database: TestDatabase, secrets: typeof OLD, outcome: Outcome) {
  const log = createLog('silent')
  const jobs: Jobs = await startJobs({ url: database.url, log, kinds: [PRODUCT_MAIL], works: true })
  stops.push(jobs.stop)
  const tried: string[] = []
  const mail = createProductMail({
    jobs,
    secrets,
    log,
    mailFrom: 'mail@postrider.localhost',
    provider: {
      async send(_letter, copies) {
        tried.push(...copies.map(({ to }) => to.address))
        return copies.map(() => outcome)
      },
    },
  })
  return { mail, tried, stop: jobs.stop }
}

const reseal = ({ db }: TestDatabase) => db.transaction().execute((tx) => resealQueuedMail(tx, OLD, NEW))

it('a mail of the product that waits, or is to be tried again, leaves under the new key', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const before = await aService(database, OLD, {
    kind: 'try-later',
    reason: 'Busy',
    afterMs: null,
    about: 'mail',
  })
  await db.transaction().execute((tx) => before.mail.send(tx, mailTo('tried@x.test')))
  await before.mail.work()
  await until('it was tried', async () => before.tried.length > 0)
  await before.stop()
  const waiting = await aService(database, OLD, { kind: 'accepted', id: '1' })
  await db.transaction().execute((tx) => waiting.mail.send(tx, mailTo('waiting@x.test')))
  const lost = await aService(database, LOST, { kind: 'accepted', id: '1' })
  await db.transaction().execute((tx) => lost.mail.send(tx, mailTo('lost@x.test')))
  for (const stop of stops.splice(0)) await stop()

  await reseal(database)
  // Due now, and not when a try that failed would be.
  await sql`update pgboss.job set start_after = now()`.execute(db)
  const after = await aService(database, NEW, { kind: 'accepted', id: '1' })
  await after.mail.work()
  await until('both have left', async () => after.tried.length >= 2)
  expect(after.tried.toSorted()).toEqual(['tried@x.test', 'waiting@x.test'])
})

it('a database that had no queue yet, as a restored one, keeps no key from being replaced', async () => {
  await using database = await emptyDatabase()
  await migrate(database.url, createLog('silent'))
  await reseal(database)
})
