import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { EventKind } from '../../providers/events.ts'
import { anEvent, aSentCampaign, recordAll, SOFT } from '../../test/campaign-events.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  fence,
  type StoredCampaign,
  settled,
} from '../../test/stored-campaign.ts'
import { step } from './steps.ts'

const database = databaseOfFile()

const OPENED: EventKind = { kind: 'opened', isMachine: false }
const OPENED_BY_MACHINE: EventKind = { kind: 'opened', isMachine: true }

const dayOf = (day: number): Date => new Date(Date.UTC(2020, 0, 1) + day * 86_400_000)

/** To the same person each time, on a day of long ago, by a relay: it has taken the mail, and tells nothing more of it. */
async function aMailByRelay(userId: string, day: number): Promise<StoredCampaign> {
  const campaign = await aStoredCampaign(database.db, 1, userId)
  const window = await claim(database.db, campaign)
  await fence(database.db, window)
  await step(database.db, window.key, settled(window, ACCEPTED), [], { isLastWord: true })
  const at = dayOf(day)
  await database.db
    .updateTable('runs')
    .set({ created_at: at })
    .where('campaign_id', '=', campaign.id)
    .execute()
  await database.db
    .updateTable('deliveries')
    .set({ accepted_at: at, delivered_at: at })
    .where('campaign_id', '=', campaign.id)
    .execute()
  return campaign
}

const cameBack = (campaign: StoredCampaign, day: number) =>
  anEvent(campaign, 1, SOFT, { at: dayOf(day), words: '452 full' })

const record = (...events: Parameters<typeof recordAll>[2]) => recordAll(database.db, 'product', events)

const listed = async (userId: string) => {
  const { rows } = await sql<{ who: string }>`
    select address_key || ' ' || reason::text as who from suppressions where user_id = ${userId}`.execute(
    database.db,
  )
  return rows.map(({ who }) => who)
}

describe('mails by a relay, which tells of no delivery,', () => {
  it('suppress nobody if between those that came back there was always one that did not', async () => {
    const userId = randomUUID()
    for (let day = 0; day < 300; day += 60) {
      await record(cameBack(await aMailByRelay(userId, day), day + 1))
      await aMailByRelay(userId, day + 30)
    }
    expect(await listed(userId)).toEqual([])
  })

  it('suppress whose five mails in a row came back, and not before', async () => {
    const userId = randomUUID()
    await aMailByRelay(userId, 0)
    for (let day = 30; day < 180; day += 30) {
      expect(await listed(userId)).toEqual([])
      await record(cameBack(await aMailByRelay(userId, day), day + 1))
    }
    expect(await listed(userId)).toEqual(['r1@x.test s'])
  })

  it('go on with a row while it is open what becomes of those that were sent later', async () => {
    const userId = randomUUID()
    const mails: StoredCampaign[] = []
    for (let day = 0; day < 7; day++) {
      mails.push(await aMailByRelay(userId, day))
      const earlier = mails[day - 2]
      if (earlier) await record(cameBack(earlier, day + 0.5))
    }
    expect(await listed(userId)).toEqual(['r1@x.test s'])
  })

  it('go on with a row when several come back in one report', async () => {
    const userId = randomUUID()
    for (const day of [0, 10, 20]) await record(cameBack(await aMailByRelay(userId, day), day + 1))
    const [one, other] = [await aMailByRelay(userId, 30), await aMailByRelay(userId, 31)]
    await record(cameBack(one, 32), cameBack(other, 32))
    expect(await listed(userId)).toEqual([])
    await record(cameBack(await aMailByRelay(userId, 40), 41))
    expect(await listed(userId)).toEqual(['r1@x.test s'])
  })

  it('begin a new row after ninety days without any that came back', async () => {
    const userId = randomUUID()
    for (const day of [0, 10, 20, 30, 121]) await record(cameBack(await aMailByRelay(userId, day), day))
    expect(await listed(userId)).toEqual([])
    for (const day of [131, 141, 151, 161]) await record(cameBack(await aMailByRelay(userId, day), day))
    expect(await listed(userId)).toEqual(['r1@x.test s'])
  })
})

describe('a mail that was sent since', () => {
  const afterFour = async (kind: EventKind) => {
    const userId = randomUUID()
    for (const each of [SOFT, SOFT, SOFT, SOFT, kind, SOFT])
      await record(anEvent(await aSentCampaign(database.db, 1, userId), 1, each))
    return listed(userId)
  }

  it.each([[OPENED], [{ kind: 'clicked', isMachine: false, url: null } as const]])(
    'has arrived when somebody reads it, and ends a row: %j',
    async (kind) => {
      expect(await afterFour(kind)).toEqual([])
    },
  )

  it('ends no row when only a machine fetches its pictures', async () => {
    expect(await afterFour(OPENED_BY_MACHINE)).toEqual(['r1@x.test s'])
  })
})

it('an old mail that is read now ends no row: no other has arrived', async () => {
  const userId = randomUUID()
  const old = await aMailByRelay(userId, 0)
  for (const day of [10, 20, 30, 40]) await record(cameBack(await aMailByRelay(userId, day), day))
  await record(anEvent(old, 1, OPENED, { at: dayOf(45) }))
  await record(cameBack(await aMailByRelay(userId, 50), 50))
  expect(await listed(userId)).toEqual(['r1@x.test s'])
})
