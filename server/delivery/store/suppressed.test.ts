import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../platform/database.ts'
import type { ProviderEvent } from '../../providers/events.ts'
import { anEvent, aSentCampaign, HARD, recordAll, SOFT } from '../../test/campaign-events.ts'
import {
  aStoredCampaign,
  claim,
  databaseOfFile,
  expectCountsToAddUp,
  fence,
  LATER,
  letTimePass,
  settled,
  states,
} from '../../test/stored-campaign.ts'
import { until } from '../../test/until.ts'
import { notBegun } from '../settlement.ts'
import type { ClaimedDelivery } from './claims.ts'
import { step } from './steps.ts'
import { leaveOutQueued } from './suppressed.ts'

const database = databaseOfFile()

const SAID = { words: 'as they said' }
const COMPLAINED = { kind: 'complained' } as const
const UNSUBSCRIBED = { kind: 'unsubscribed' } as const

const record = async (...events: ProviderEvent[]) =>
  (await recordAll(database.db, 'product', events)).suppressed

const suppress = (userId: string, ...keys: string[]) =>
  sql`insert into suppressions (user_id, address_key, address, reason)
    select ${userId}::uuid, key, key, 'u' from unnest(${keys}::text[]) key`.execute(database.db)

const listed = async (userId: string) => {
  const { rows } = await sql<{ who: string }>`
    select address_key || ' ' || reason::text || coalesce(' ' || words, '') as who from suppressions
    where user_id = ${userId} order by address_key`.execute(database.db)
  return rows.map(({ who }) => who)
}

describe('who comes onto the list', () => {
  it.each([
    [HARD, 'r1@x.test h as they said'],
    [COMPLAINED, 'r1@x.test c'],
    [UNSUBSCRIBED, 'r1@x.test u'],
  ])('does so with the event that says it: %j', async (kind, entry) => {
    const campaign = await aSentCampaign(database.db, 2)
    const event = anEvent(campaign, 1, kind, SAID)
    const who = [{ userId: campaign.userId, key: 'r1@x.test' }]
    expect(await record(event)).toEqual(who)
    expect(await listed(campaign.userId)).toEqual([entry])
    // Told again, whoever was to obey it may not have come to it.
    expect(await record(event)).toEqual(who)
    expect(await listed(campaign.userId)).toEqual([entry])
  })

  it.each([
    [SOFT],
    [{ kind: 'bounced', bounce: 'message' } as const],
    [{ kind: 'opened', isMachine: false } as const],
    [{ kind: 'delivered' } as const],
    [{ kind: 'failed' } as const],
  ])('is nobody for %j', async (kind) => {
    const campaign = await aSentCampaign(database.db, 1)
    await record(anEvent(campaign, 1, kind, SAID))
    expect(await listed(campaign.userId)).toEqual([])
  })

  it('is whose mails came back five times in a row, and not before', async () => {
    const userId = randomUUID()
    for (let time = 1; time <= 5; time++) {
      expect(await listed(userId)).toEqual([])
      const event = anEvent(await aSentCampaign(database.db, 1, userId), 1, SOFT, SAID)
      // Told twice it counts once.
      await record(event, event)
      await record(event)
    }
    expect(await listed(userId)).toEqual(['r1@x.test s as they said'])
  })

  it('is nobody who got a mail in between', async () => {
    const userId = randomUUID()
    for (const kind of [SOFT, SOFT, SOFT, SOFT, { kind: 'delivered' } as const, SOFT, SOFT])
      await record(anEvent(await aSentCampaign(database.db, 1, userId), 1, kind, SAID))
    expect(await listed(userId)).toEqual([])
  })

  it.each([
    ['an unsubscription outranks a bounce', HARD, UNSUBSCRIBED, 'u'],
    ['a complaint outranks a bounce', HARD, COMPLAINED, 'c'],
    ['a complaint outranks an unsubscription', UNSUBSCRIBED, COMPLAINED, 'c'],
    ['no unsubscription outranks a complaint', COMPLAINED, UNSUBSCRIBED, 'c'],
    ['no bounce outranks an unsubscription', UNSUBSCRIBED, HARD, 'u'],
    ['no bounce outranks a complaint', COMPLAINED, HARD, 'c'],
  ])(
    'is there for their own wish before all: %s, however they are told',
    async (_, first, second, reason) => {
      for (const isOneCall of [false, true]) {
        const campaign = await aSentCampaign(database.db, 1)
        const later = await aSentCampaign(database.db, 1, campaign.userId)
        const events = [anEvent(campaign, 1, first, SAID), anEvent(later, 1, second, SAID)]
        if (isOneCall) await record(...events)
        else for (const event of events) await record(event)
        expect(await listed(campaign.userId)).toEqual([`r1@x.test ${reason}`])
      }
    },
  )

  it('is another user’s only by their own mails', async () => {
    await record(anEvent(await aSentCampaign(database.db, 1), 1, UNSUBSCRIBED, SAID))
    expect(await listed((await aSentCampaign(database.db, 1)).userId)).toEqual([])
  })
})

describe('who is on the list', () => {
  it('is left out as a campaign comes in', async () => {
    const { userId } = await aStoredCampaign(database.db, 1)
    await suppress(userId, 'r2@x.test', 'r4@x.test')
    const campaign = await aStoredCampaign(database.db, 5, userId)
    expect(await states(database.db, campaign)).toBe('qsqsq')
    const { deliveries } = await claim(database.db, campaign)
    expect(deliveries.map(({ seq }) => seq)).toEqual([1, 3, 5])
  })

  it('is left out as a window is claimed, also of what waited for another try', async () => {
    const campaign = await aStoredCampaign(database.db, 3)
    const first = await claim(database.db, campaign)
    await fence(database.db, first)
    await step(database.db, first.key, settled(first, LATER), [])
    await letTimePass(database.db, campaign)
    await suppress(campaign.userId, 'r2@x.test')
    const again = await claim(database.db, campaign)
    expect(again.deliveries.map(({ seq }) => seq)).toEqual([1, 3])
    expect(await states(database.db, campaign)).toBe('qsq')
  })

  it('is left out at once although a worker has claimed the mail; what is in flight cannot be called back', async () => {
    const campaign = await aStoredCampaign(database.db, 4)
    const other = await aStoredCampaign(database.db, 4, campaign.userId)
    const window = await claim(database.db, campaign)
    const [first] = window.deliveries
    if (!first) throw new Error('nothing was claimed')
    await fence(database.db, { ...window, deliveries: [first] })
    await suppress(campaign.userId, 'r1@x.test', 'r2@x.test')
    const moved: string[] = []
    await leaveOutQueued(database.db, campaign.userId, ['r1@x.test', 'r2@x.test'], ({ id }) => moved.push(id))
    expect(moved.sort()).toEqual([campaign.id, other.id].sort())
    const { fenced } = await fence(database.db, { ...window, deliveries: window.deliveries.slice(1) })
    expect([...fenced].sort()).toEqual([3, 4])
    expect(await states(database.db, campaign)).toBe('isii')
    expect(await states(database.db, other)).toBe('ssqq')
  })

  it.each([
    ['never began', (one: ClaimedDelivery) => notBegun(one)],
    ['was put off by the provider', (one: ClaimedDelivery) => notBegun(one, 'Too many at once')],
  ])('is left out when a call %s, and its worker would make it again', async (_, outcome) => {
    const campaign = await aStoredCampaign(database.db, 3)
    const window = await claim(database.db, campaign)
    await fence(database.db, window)
    await suppress(campaign.userId, 'r2@x.test')
    await leaveOutQueued(database.db, campaign.userId, ['r2@x.test'])
    await step(database.db, window.key, window.deliveries.map(outcome), [])
    const { fenced } = await fence(database.db, window, 1, [], { returned: [1, 2, 3] })
    expect([...fenced].sort()).toEqual([1, 3])
    expect(await states(database.db, campaign)).toBe('isi')
    const { rows } = await sql<{ reason: string }>`
      select reason from deliveries where campaign_id = ${campaign.id} and state = 's'`.execute(database.db)
    expect(rows).toEqual([{ reason: 'Left out: this person has unsubscribed' }])
  })

  it.each([
    ['is reported as delivered', { kind: 'delivered' } as const],
    ['is left by the link in it', UNSUBSCRIBED],
  ])('was not left out if the mail %s: whoever put it off had taken it', async (_, kind) => {
    const campaign = await aStoredCampaign(database.db, 2)
    const window = await claim(database.db, campaign)
    await fence(database.db, window)
    await step(database.db, window.key, settled(window, LATER), [])
    await suppress(campaign.userId, 'r1@x.test', 'r2@x.test')
    await leaveOutQueued(database.db, campaign.userId, ['r1@x.test', 'r2@x.test'])
    expect(await states(database.db, campaign)).toBe('ss')
    await record(anEvent(campaign, 1, kind))
    const { rows } = await sql<{ state: string; reason: string | null }>`
      select state, reason from deliveries where campaign_id = ${campaign.id} order by seq`.execute(
      database.db,
    )
    expect(rows).toEqual([
      { state: 'a', reason: null },
      { state: 's', reason: 'Left out: this person has unsubscribed' },
    ])
  })

  it('is waited for with nobody else in hand: who claims locks in another order', async () => {
    const campaign = await aStoredCampaign(database.db, 2)
    await suppress(campaign.userId, 'r1@x.test', 'r2@x.test')
    const lock = (tx: Transaction, seq: number) =>
      sql`select from deliveries where campaign_id = ${campaign.id} and seq = ${seq} for update`.execute(tx)
    let leaving: Promise<unknown> = Promise.resolve()
    await database.db.transaction().execute(async (claiming) => {
      await lock(claiming, 2)
      leaving = leaveOutQueued(database.db, campaign.userId, ['r1@x.test', 'r2@x.test'])
      await until('who is free is left out', async () => (await states(database.db, campaign)) === 'sq')
      await lock(claiming, 1)
    })
    await leaving
    expect(await states(database.db, campaign)).toBe('ss')
    await expectCountsToAddUp(database.db)
  })

  it('ends a campaign that has nobody else to reach', async () => {
    const campaign = await aStoredCampaign(database.db, 1)
    await suppress(campaign.userId, 'r1@x.test')
    await leaveOutQueued(database.db, campaign.userId, ['r1@x.test'])
    const run = database.db.selectFrom('runs').select('is_open').where('campaign_id', '=', campaign.id)
    expect(await run.executeTakeFirst()).toEqual({ is_open: false })
  })
})
