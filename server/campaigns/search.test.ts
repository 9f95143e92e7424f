import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DeliveriesQuery, HistoryQuery } from '../../contract/campaigns.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { aStoredCampaign, type StoredCampaign } from '../test/stored-campaign.ts'
import { createHistory, type History } from './history.ts'

/** More than one search looks through at a time. */
const CAMPAIGNS = 1_203
const DELIVERIES = 12_345

let running: RunningApp
let ann: SignedIn
let list: StoredCampaign
/** Its time is up before it has begun: each page is one look. */
let hurried: History
let patient: History
beforeAll(async () => {
  running = await aRunningApp({ ROLES: 'web' })
  ann = await aUser(running)
  const { db } = running
  await sql`
    with numbers as (select n, gen_random_uuid() as id from generate_series(1, ${CAMPAIGNS}::integer) n),
    made as (
      insert into campaigns (id, user_id, subject, body, sender_name, reply_to, recipient_count, created_at)
      select id, ${ann.userId}, 'Letter ' || n, 'b', 's', 'r@x.test', 1, now() - n * interval '1 hour' from numbers
    ),
    sent as (
      insert into deliveries (campaign_id, seq, address, address_key, state)
      select id, 1, 'person' || n || '@x.test', 'person' || n || '@x.test', 'a' from numbers
    )
    insert into runs (campaign_id, user_id, account, state, is_open, last_seq, accepted, failed)
    select id, ${ann.userId}, 'product', 'sending', false, 1, (n % 400 <> 0)::integer, (n % 400 = 0)::integer
    from numbers`.execute(db)
  list = await aStoredCampaign(db, DELIVERIES)
  await sql`update deliveries set state = 'f', reason = 'no' where campaign_id = ${list.id} and seq % 4000 = 1`.execute(
    db,
  )
  await sql`update runs set queued = ${DELIVERIES - 4}, failed = 4 where campaign_id = ${list.id}`.execute(db)
  const delivery = { deliveries: () => Promise.reject(new Error('a search reads by itself')) }
  const parts = {
    db,
    delivery,
    mailFrom: 'mail@x.test',
    countReplies: async () => ({ all: 0, automatic: 0 }),
  }
  hurried = createHistory({ ...parts, searchMs: 0 })
  patient = createHistory({ ...parts, searchMs: 60_000 })
})
afterAll(() => running[Symbol.asyncDispose]())

async function campaigns(history: History, query: Record<string, unknown>): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = HistoryQuery.parse({ ...query, ...(cursor ? { cursor } : {}) })
    const { entries, nextCursor }: Awaited<ReturnType<History['list']>> = await history.list(
      ann.userId,
      asked,
    )
    pages.push(entries.map(({ subject }) => subject))
    cursor = nextCursor
  }
  return pages
}

async function deliveries(history: History, query: Record<string, unknown>): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = DeliveriesQuery.parse({ ...query, ...(cursor ? { cursor } : {}) })
    const { items, nextCursor }: Awaited<ReturnType<History['deliveries']>> = await history.deliveries(
      list.userId,
      list.id,
      asked,
    )
    pages.push(items.map(({ address }) => address))
    cursor = nextCursor
  }
  return pages
}

describe('a search through the history', () => {
  it('that has time finds all at once', async () => {
    expect(await campaigns(patient, { q: 'letter 120' })).toEqual([
      ['Letter 120', 'Letter 1200', 'Letter 1201', 'Letter 1202', 'Letter 1203'],
    ])
    expect(await campaigns(patient, { q: 'person1203@' })).toEqual([['Letter 1203']])
    expect(await campaigns(patient, { status: 'failed' })).toEqual([
      ['Letter 400', 'Letter 800', 'Letter 1200'],
    ])
    expect(await campaigns(patient, { q: 'nobody' })).toEqual([[]])
  })

  it('that runs out of time shows what it has found, goes on from there, and leaves nobody out', {
    tags: 'thorough',
  }, async () => {
    expect(await campaigns(hurried, { status: 'failed' })).toEqual([
      ['Letter 400'],
      ['Letter 800'],
      ['Letter 1200'],
    ])
  })

  it('never shows an empty page while there is more', async () => {
    expect(await campaigns(hurried, { q: 'person1203@' })).toEqual([['Letter 1203']])
    expect(await campaigns(hurried, { q: 'nobody' })).toEqual([[]])
  })

  for (const [query, count, tags = []] of [
    [{ q: 'letter' }, CAMPAIGNS],
    [{ q: 'letter', limit: 7 }, CAMPAIGNS, ['thorough']],
    [{ q: 'letter 1', limit: 3 }, 315, ['thorough']],
    [{ q: 'person12', status: 'sent', limit: 2 }, 14],
    // Beside where one look ends and the next begins.
    [{ q: '00' }, 21],
    [{ q: '01' }, 22],
    [{}, CAMPAIGNS],
  ] satisfies [Record<string, unknown>, number, string[]?][])
    it(`by ${JSON.stringify(query)} shows each once, in order, whether it has time or not`, {
      tags,
    }, async () => {
      const whole = (await campaigns(patient, query)).flat()
      expect(new Set(whole).size).toBe(count)
      expect(whole).toHaveLength(count)
      expect((await campaigns(hurried, query)).flat()).toEqual(whole)
      const numbers = whole.map((subject) => Number(subject.slice(7)))
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    })
})

describe('a search through the deliveries of a campaign', () => {
  it('that has time finds all at once', async () => {
    expect(await deliveries(patient, { state: 'failed' })).toEqual([
      ['r1@x.test', 'r4001@x.test', 'r8001@x.test', 'r12001@x.test'],
    ])
    expect(await deliveries(patient, { q: '2345@' })).toEqual([['r2345@x.test', 'r12345@x.test']])
  })

  it('that runs out of time shows what it has found, goes on from there, and leaves nobody out', {
    tags: 'thorough',
  }, async () => {
    expect(await deliveries(hurried, { state: 'failed' })).toEqual([
      ['r1@x.test', 'r4001@x.test'],
      ['r8001@x.test'],
      ['r12001@x.test'],
    ])
    expect(await deliveries(hurried, { q: 'r12345@' })).toEqual([['r12345@x.test']])
    expect(await deliveries(hurried, { q: 'nobody' })).toEqual([[]])
    expect((await deliveries(hurried, { q: '@x.test' })).flat()).toHaveLength(DELIVERIES)
    // Beside where one look ends and the next begins.
    for (const q of ['000@', '001@'])
      expect((await deliveries(hurried, { q })).flat()).toEqual((await deliveries(patient, { q })).flat())
    expect((await deliveries(hurried, { q: '001@' })).flat()).toContain('r5001@x.test')
    expect((await deliveries(hurried, { q: '7', limit: 11, state: 'queued' })).flat()).toEqual(
      (await deliveries(patient, { q: '7', limit: 11, state: 'queued' })).flat(),
    )
  })

  it('for a state looks no further than the last who is in it', async () => {
    await sql`update runs set failed = 3 where campaign_id = ${list.id}`.execute(running.db)
    expect(await deliveries(patient, { state: 'failed' })).toEqual([
      ['r1@x.test', 'r4001@x.test', 'r8001@x.test'],
    ])
    await sql`update runs set failed = 4 where campaign_id = ${list.id}`.execute(running.db)
  })

  it('for a state that nobody is in answers without looking', async () => {
    await running.db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`lock table deliveries in access exclusive mode`.execute(tx)
      expect(await deliveries(patient, { state: 'unknown' })).toEqual([[]])
    })
  })

  it('is for its owner only', async () => {
    await expect(patient.deliveries(ann.userId, list.id, DeliveriesQuery.parse({ q: 'r1' }))).rejects.toThrow(
      'This campaign does not exist',
    )
    await expect(patient.deliveries(list.userId, randomUUID(), DeliveriesQuery.parse({}))).rejects.toThrow(
      'This campaign does not exist',
    )
  })
})
