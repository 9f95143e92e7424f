import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { step } from '../delivery/store/steps.ts'
import { createLog } from '../platform/log.ts'
import type { ProviderEvent } from '../providers/events.ts'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { detail } from '../test/campaigns.ts'
import { freshDatabase } from '../test/database.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import {
  aStoredCampaign,
  claim,
  expectCountsToAddUp,
  fence,
  settled,
  UNKNOWN,
} from '../test/stored-campaign.ts'
import { aTrackedCampaign, letArrivalsAge, type TrackedMail, tampered } from '../test/tracked-mails.ts'
import { until } from '../test/until.ts'
import { createOpens } from './opens.ts'
import { findArrivals } from './store.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
  ann = await aUser(running)
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
})

const THUNDERBIRD = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0'
const look = (path: string, userAgent: string | null = THUNDERBIRD, method = 'GET') =>
  running.browser().send({ method, path, headers: { 'user-agent': userAgent ?? '' } })

async function arrived(count = 2): Promise<TrackedMail[]> {
  const mails = await aTrackedCampaign(
    running,
    ann,
    Array.from({ length: count }, () => anAddress('reader')),
  )
  await letArrivalsAge(running, mails[0]?.id ?? '')
  return mails
}

const one = async (): Promise<TrackedMail> => {
  const [mail] = await arrived()
  if (!mail) throw new Error('no mail')
  return mail
}

const opened = async (id: string): Promise<number> => (await detail(ann.browser, id)).openedCount
const machineOpened = async (id: string): Promise<number> =>
  (
    await running.db
      .selectFrom('runs')
      .select('machine_opened')
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
  ).machine_opened

/** Openings are stored in the order they came: once this one is counted, those before it are too. */
async function allStored(): Promise<void> {
  const last = await one()
  await look(last.pixel)
  await until('the last opening is counted', async () => (await opened(last.id)) === 1)
}

describe('the picture', () => {
  it('is the same for a good token, a repeated one and a bad one, and for who asks for its head only', async () => {
    const { pixel } = await one()
    const [bad = ''] = tampered(pixel)
    for (const path of [pixel, pixel, bad, '/t/x.gif', `/t/${'x'.repeat(199)}.gif`]) {
      const { status, headers, text } = await look(path)
      expect({ status, headers }).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'image/gif',
          'content-length': '43',
          'cache-control': 'no-store, private',
          // It stands in the pages of webmail.
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        },
      })
      expect(text.slice(0, 6)).toBe('GIF89a')
      expect(headers).not.toHaveProperty('set-cookie')
      expect(await look(path, THUNDERBIRD, 'HEAD')).toMatchObject({
        status: 200,
        text: '',
        headers: { 'content-length': '43' },
      })
    }
  })

  it('tells who has opened a mail, once, however often it is fetched', async () => {
    const { pixel, id } = await one()
    await Promise.all(Array.from({ length: 10 }, () => look(pixel)))
    await until('it is counted', async () => (await opened(id)) === 1)
    await Promise.all(Array.from({ length: 10 }, () => look(pixel)))
    await allStored()
    expect(await opened(id)).toBe(1)
    expect(await machineOpened(id)).toBe(0)
  })

  it('fetched by a machine is told apart, and a reader after it counts', async () => {
    const { pixel, id } = await one()
    for (const name of ['Mozilla/5.0', null, 'curl/8.5.0']) await look(pixel, name)
    await until('the machine is noted', async () => (await machineOpened(id)) === 1)
    expect(await opened(id)).toBe(0)
    await look(pixel)
    await until('the reader is counted', async () => (await opened(id)) === 1)
  })

  it('fetched the moment a mail arrives is a machine’s doing', async () => {
    const [mail] = await aTrackedCampaign(running, ann, [anAddress('soon'), anAddress('soon')])
    if (!mail) throw new Error('no mail')
    // However long it took this machine to get here.
    await running.db
      .updateTable('deliveries')
      .set({ accepted_at: sql<Date>`now() + interval '1 minute'` })
      .where('campaign_id', '=', mail.id)
      .execute()
    await look(mail.pixel)
    await until('the machine is noted', async () => (await machineOpened(mail.id)) === 1)
    expect(await opened(mail.id)).toBe(0)
  })

  it('S35: tampered with in any sign of its token, or asked for by its head only, has no effect', async () => {
    const { pixel, id } = await one()
    for (const path of tampered(pixel)) expect((await look(path)).status).toBe(200)
    await look(`${pixel}?next=//evil.test`, THUNDERBIRD, 'HEAD')
    await allStored()
    expect(await opened(id)).toBe(0)
    expect(await machineOpened(id)).toBe(0)
    expect((await look(`${pixel}?next=//evil.test`)).headers).not.toHaveProperty('location')
  })
})

describe('an opening', () => {
  it('that is still held is stored before the application is gone', async () => {
    const database = await freshDatabase()
    const app = await aRunningApp({}, { database })
    const [mail] = await aTrackedCampaign(app, await aUser(app), [anAddress(), anAddress()])
    // However long it took this machine to get here.
    await database.db
      .updateTable('deliveries')
      .set({ accepted_at: sql<Date>`now() + interval '1 minute'` })
      .execute()
    await app.browser().get(mail?.pixel ?? '')
    await app[Symbol.asyncDispose]()
    const rows = await database.db.selectFrom('delivery_events').select('kind').execute()
    expect(rows.map(({ kind }) => kind)).toContain('opened by machine')
    await expectCountsToAddUp(database.db)
    await database[Symbol.asyncDispose]()
  })

  it('is kept while storing fails, and of more than can be held it is logged how many are lost', async () => {
    const campaign = await aStoredCampaign(running.db, 5)
    const lines: string[] = []
    const stored: ProviderEvent[] = []
    let failures = 1
    const opens = createOpens({
      db: running.db,
      log: createLog('warn', { write: (line) => void lines.push(line) }),
      heldMax: 3,
      delivery: {
        async record(_account, events) {
          if (failures-- > 0) throw new Error('not now')
          stored.push(...events)
        },
      },
    })
    for (let seq = 1; seq <= 5; seq++)
      opens.note({ campaignId: campaign.id, seq }, { at: new Date(), userAgent: THUNDERBIRD })
    opens.note({ campaignId: randomUUID(), seq: 1 }, { at: new Date(), userAgent: THUNDERBIRD })
    await until('they are stored', async () => stored.length > 0)
    expect(stored.map(({ tag }) => tag?.split('-')[1])).toEqual(['1', '2', '3'])
    expect(lines.join('')).toMatch(/"opens":3,.*more openings came in than could be held/)
    await sleep(10)
    await opens.close()
  })
})

it('a mail in doubt that waits to be repeated is read by people, however long it waits', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  const window = await claim(db, campaign)
  await fence(db, window)
  const keys = [1, 2].map((seq) => ({ campaignId: campaign.id, seq }))
  const mayBeTaken = async () => (await findArrivals(db, keys)).map((one) => one?.mayBeTaken)
  expect(await mayBeTaken()).toEqual([false, false])
  const doubtful = settled(window, UNKNOWN)
    .slice(0, 1)
    .map((one) => ({ ...one, state: 'i' as const, waitMs: 3_600_000 }))
  await step(db, window.key, doubtful, [])
  await sql`update deliveries set in_flight_at = now() - interval '16 minutes'
    where campaign_id = ${campaign.id} and seq = 2`.execute(db)
  expect(await mayBeTaken()).toEqual([true, true])
})
