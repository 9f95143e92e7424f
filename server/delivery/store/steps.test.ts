import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expectCountsToAddUp,
  expireLease,
  fence,
  LATER,
  letTimePass,
  settled,
  states,
  tryClaim,
  UNKNOWN,
} from '../../test/stored-campaign.ts'
import { queueAgain, setRunState } from './changes.ts'
import { holdAccount } from './holds.ts'
import { openWaiting, releaseWindow, renewLeases } from './leases.ts'
import { step } from './steps.ts'
import { leaveOutQueued } from './suppressed.ts'

const database = databaseOfFile()

const NOTHING = { holds: false, maySend: false, fenced: new Set() }

describe('a window in good hands', () => {
  it('is put in flight and settled in one commit each, with the counts', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign)
    expect(await fence(db, window)).toEqual({ holds: true, maySend: true, fenced: new Set([1, 2, 3]) })
    expect(await states(db, campaign)).toBe('iii')
    await expectCountsToAddUp(db)
    const [first, second, third] = settled(window, ACCEPTED)
    if (!first || !second || !third) throw new Error('three deliveries were expected')
    await step(
      db,
      window.key,
      [first, { ...second, state: 'f', reason: '550' }, { ...third, state: 'u' }],
      [],
    )
    expect(await states(db, campaign)).toBe('afu')
  })

  it('settles some and puts others in flight in the same commit', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 4)
    const window = await claim(db, campaign)
    const [head, tail] = [
      { ...window, deliveries: window.deliveries.slice(0, 2) },
      { ...window, deliveries: window.deliveries.slice(2) },
    ]
    await fence(db, head)
    await fence(db, tail, 1, settled(head, ACCEPTED))
    expect(await states(db, campaign)).toBe('aaii')
  })

  it('puts nobody in flight twice', async () => {
    const { db } = database
    const window = await claim(db, await aStoredCampaign(db, 2))
    await fence(db, window)
    expect((await fence(db, window)).fenced).toEqual(new Set())
  })

  it('lets go of who waits for another try, and closes only when nobody is left', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    await fence(db, window)
    await step(db, window.key, settled(window, LATER), [])
    expect(await states(db, campaign)).toBe('qq')
    await releaseWindow(db, window.key, true)
    await letTimePass(db, campaign)
    const again = await claim(db, campaign)
    expect(again.deliveries.map(({ attempts }) => attempts)).toEqual([1, 1])
    await fence(db, again)
    await step(db, again.key, settled(again, ACCEPTED), [])
    expect(await states(db, campaign)).toBe('aa')
  })
})

describe('a worker that has lost its window', () => {
  it('puts nobody in flight and records nothing', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    const one = { ...window, deliveries: window.deliveries.slice(0, 1) }
    await fence(db, one)
    const stale = { ...window.key, token: '00000000-0000-4000-8000-000000000000' }
    const rest = { key: stale, deliveries: window.deliveries.slice(1) }
    expect(await fence(db, rest, 1, settled(one, ACCEPTED))).toEqual(NOTHING)
    expect(await states(db, campaign)).toBe('iq')
  })

  it('changes nothing after another worker has taken over', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign)
    const underWay = { ...window, deliveries: window.deliveries.slice(0, 2) }
    await fence(db, underWay)
    await expireLease(db, window.key)
    await claim(db, campaign, { mayTakeOver: true })
    expect(await step(db, window.key, settled(underWay, ACCEPTED), [])).toEqual(NOTHING)
    expect(await states(db, campaign)).toBe('uuq')
    await releaseWindow(db, window.key, true)
    expect(
      await db.selectFrom('delivery_windows').where('id', '=', window.key.id).selectAll().execute(),
    ).toHaveLength(1)
  })

  it('may still record after its lease ran out, while nobody else has come, but sends no more', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    const one = { ...window, deliveries: window.deliveries.slice(0, 1) }
    await fence(db, one)
    await expireLease(db, window.key)
    const rest = { ...window, deliveries: window.deliveries.slice(1) }
    const result = await fence(db, rest, 1, settled(one, ACCEPTED))
    expect(result).toEqual({ holds: true, maySend: false, fenced: new Set() })
    expect(await states(db, campaign)).toBe('aq')
  })
})

describe('a statement that is repeated because its answer was lost', () => {
  it('changes nothing the second time', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign)
    await fence(db, window)
    const [first, second, third] = settled(window, ACCEPTED)
    const [, later] = settled(window, LATER)
    if (!first || !second || !third || !later) throw new Error('three deliveries were expected')
    const all = [first, later, { ...third, state: 'f' as const, reason: '550' }]
    await step(db, window.key, all, [])
    await step(db, window.key, all, [])
    expect(await states(db, campaign)).toBe('aqf')
  })

  it('does not touch a delivery that is in flight again by another hand', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 1)
    const window = await claim(db, campaign)
    await fence(db, window)
    const later = settled(window, LATER)
    await step(db, window.key, later, [])
    await letTimePass(db, campaign)
    const other = await claim(db, campaign)
    await fence(db, other)
    await step(db, window.key, later, [])
    await step(db, window.key, settled(window, ACCEPTED), [])
    expect(await states(db, campaign)).toBe('i')
    await step(db, other.key, settled(other, ACCEPTED), [])
    expect(await states(db, campaign)).toBe('a')
  })
})

describe('a delivery that has left a window, of which its holder does not know', () => {
  it('is neither put in flight nor settled by them: it is in another hand', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    // The answer to this one is lost.
    await openWaiting(db, window.key, [2])
    expect((await fence(db, window)).fenced).toEqual(new Set([1]))
    expect(await states(db, campaign)).toBe('iq')
    const other = await claim(db, campaign)
    await fence(db, other)
    await step(db, window.key, settled(window, ACCEPTED), [])
    expect(await states(db, campaign)).toBe('ai')
    await step(db, other.key, settled(other, UNKNOWN), [])
    expect(await states(db, campaign)).toBe('au')
  })

  it('is sent once its owner has asked for it, though its holder has it still in mind', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const first = await claim(db, campaign)
    await fence(db, first)
    await step(db, first.key, settled(first, UNKNOWN), [])
    const { userId, id } = campaign
    await queueAgain(db, userId, id, 'u')
    const window = await claim(db, campaign)
    const entry = { user_id: userId, address: 'r2@x.test', address_key: 'r2@x.test', reason: 'm' }
    await db.insertInto('suppressions').values(entry).execute()
    await leaveOutQueued(db, userId, ['r2@x.test'])
    await db.deleteFrom('suppressions').where('user_id', '=', userId).execute()
    await queueAgain(db, userId, id, 'u')
    expect((await fence(db, window)).fenced).toEqual(new Set([1]))
    const other = await claim(db, campaign)
    expect(other.deliveries.map(({ seq }) => seq)).toEqual([2])
    await fence(db, other)
    expect(await states(db, campaign)).toBe('ii')
  })
})

describe('a delivery that was queued again by its owner', () => {
  async function retried() {
    const { db } = database
    const campaign = await aStoredCampaign(db, 1)
    const window = await claim(db, campaign)
    await fence(db, window)
    const failed = settled(window, ACCEPTED).map((one) => ({ ...one, state: 'f' as const, reason: '550' }))
    await step(db, window.key, failed, [])
    await queueAgain(db, campaign.userId, campaign.id, 'f')
    const other = await claim(db, campaign)
    await fence(db, other)
    return { db, campaign, window, failed, other }
  }

  it('is not failed by its old outcome, written again because the answer was lost', async () => {
    const { db, campaign, window, failed, other } = await retried()
    await step(db, window.key, failed, [])
    expect(await states(db, campaign)).toBe('i')
    await step(db, other.key, settled(other, ACCEPTED), [])
    expect(await states(db, campaign)).toBe('a')
  })

  it('is not called unknown when the window is taken over in which it failed', async () => {
    const { db, campaign, window, other } = await retried()
    await expireLease(db, window.key)
    expect(await tryClaim(db, campaign, { mayTakeOver: true })).toBeNull()
    expect(await states(db, campaign)).toBe('i')
    await step(db, other.key, settled(other, ACCEPTED), [])
    expect(await states(db, campaign)).toBe('a')
  })
})

describe('nobody is put in flight', () => {
  it.each(['paused', 'cancelled'])(
    'of a campaign that is %s; what was in flight is still recorded',
    async (to) => {
      const { db } = database
      const campaign = await aStoredCampaign(db, 2)
      const window = await claim(db, campaign)
      const one = { ...window, deliveries: window.deliveries.slice(0, 1) }
      await fence(db, one)
      await setRunState(db, campaign.userId, campaign.id, { from: ['sending'], to })
      const rest = { ...window, deliveries: window.deliveries.slice(1) }
      const result = await fence(db, rest, 1, settled(one, ACCEPTED))
      expect(result).toEqual({ holds: true, maySend: false, fenced: new Set() })
      expect(await states(db, campaign)).toBe('aq')
    },
  )

  it('while the account must not be called, and again when that is over', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 1)
    const window = await claim(db, campaign)
    await holdAccount(db, 'product', { milliseconds: 60_000, outage: null, isAsked: true })
    expect((await fence(db, window)).maySend).toBe(false)
    // The longer of two waits counts.
    await holdAccount(db, 'product', { milliseconds: 1, outage: null, isAsked: true })
    expect((await fence(db, window)).maySend).toBe(false)
    await db.deleteFrom('account_holds').execute()
    expect((await fence(db, window)).maySend).toBe(true)
  })
})

it('keeps a doubtful call in flight, to be repeated, and counts it so', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  const window = await claim(db, campaign)
  await fence(db, window, 2)
  await step(db, window.key, settled(window, UNKNOWN, true), [])
  expect(await states(db, campaign)).toBe('ii')
  await letTimePass(db, campaign)
  const again = await claim(db, campaign, { canRepeat: true })
  expect(again.deliveries).toMatchObject([
    { callSeq: 1, callSize: 2, attempts: 1 },
    { callSeq: 1, callSize: 2, attempts: 1 },
  ])
  expect((await fence(db, again, 2)).fenced).toEqual(new Set([1, 2]))
  await step(db, again.key, settled(again, ACCEPTED, true), [])
  expect(await states(db, campaign)).toBe('aa')
})

it('puts no doubtful call in flight again once its provider may have forgotten it, however fresh it was when claimed', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  const window = await claim(db, campaign)
  await fence(db, window, 2)
  await step(db, window.key, settled(window, UNKNOWN, true), [])
  await letTimePass(db, campaign)
  const again = await claim(db, campaign, { canRepeat: true })
  // As when the database is away for a day, and the lease is the first that is asked of it.
  await db
    .updateTable('deliveries')
    .set({ in_flight_at: sql<Date>`now() - interval '25 hours'` })
    .where('campaign_id', '=', campaign.id)
    .execute()
  await renewLeases(db, [again.key])
  const options = { repeatableMs: 23 * 3_600_000 }
  expect(await fence(db, again, 2, [], options)).toEqual({ holds: true, maySend: true, fenced: new Set() })
})
