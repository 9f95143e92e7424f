import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  fence,
  LATER,
  letTimePass,
  type StoredCampaign,
  settled,
  states,
  tryClaim,
  UNKNOWN,
} from '../../test/stored-campaign.ts'
import { until } from '../../test/until.ts'
import { makeCalls } from '../calls.ts'
import { queueAgain, setRunState, sweepCancelled } from './changes.ts'
import type { ClaimedWindow } from './claims.ts'
import { releaseWindow, renewLeases } from './leases.ts'
import { step } from './steps.ts'

const database = databaseOfFile()

const seqsOf = ({ deliveries }: ClaimedWindow): number[] => deliveries.map(({ seq }) => seq)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const inOrder = (numbers: number[]): number[] => numbers.sort((a, b) => a - b)

/** Claims as long as anybody gets something, six hands at a time. */
async function claimTogether(campaign: StoredCampaign): Promise<ClaimedWindow[]> {
  const windows: ClaimedWindow[] = []
  for (;;) {
    const round = await Promise.all(upTo(6).map(() => tryClaim(database.db, campaign, { canRepeat: true })))
    const got = round.filter((window) => window !== null)
    if (got.length === 0) return windows
    windows.push(...got)
  }
}

describe('several workers that claim at the same time', () => {
  it('never share a delivery, and leave none out', async () => {
    const campaign = await aStoredCampaign(database.db, 2_500)
    const windows = await claimTogether(campaign)
    expect(windows.length).toBe(3)
    expect(inOrder(windows.flatMap(seqsOf))).toEqual(upTo(2_500))
  })

  it('never share a delivery whose time has come', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 1_500)
    for (const window of await claimTogether(campaign)) {
      await fence(db, window)
      await step(db, window.key, settled(window, LATER), [])
      await releaseWindow(db, window.key, true)
    }
    expect(await tryClaim(db, campaign)).toBeNull()
    await letTimePass(db, campaign)
    const windows = await claimTogether(campaign)
    expect(inOrder(windows.flatMap(seqsOf))).toEqual(upTo(1_500))
  })

  it('get whole calls, so that each can be repeated as it was', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 1_500)
    for (const window of await claimTogether(campaign)) {
      // One call is accepted, so that the thousand that are claimed at a time end in the middle of another.
      const { calls } = makeCalls(window.deliveries, { batchMax: 30, repeatableMs: 60_000 })
      await fence(db, window, 30)
      const outcomes = calls.flatMap((call, at) => settled(call, at === 0 ? ACCEPTED : UNKNOWN, true))
      await step(db, window.key, outcomes, [])
      await releaseWindow(db, window.key, true)
    }
    await letTimePass(db, campaign)
    const windows = await claimTogether(campaign)
    const made = windows.map(({ deliveries }) =>
      makeCalls(deliveries, { batchMax: 30, repeatableMs: 3_600_000_000 }),
    )
    expect(made.flatMap(({ hopeless }) => hopeless)).toEqual([])
    expect(made.flatMap(({ calls }) => calls).every(({ isRepeat }) => isRepeat)).toBe(true)
    expect(windows.flatMap(seqsOf)).toHaveLength(1_500 - 2 * 30)
  })
})

it('waits for whoever has locked a part of a call, instead of taking the rest of it', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 3)
  const window = await claim(db, campaign)
  await fence(db, window, 3)
  await step(db, window.key, settled(window, UNKNOWN, true), [])
  await letTimePass(db, campaign)
  let claiming: Promise<ClaimedWindow> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const second = tx.selectFrom('deliveries').where('campaign_id', '=', campaign.id).where('seq', '=', 2)
    await second.selectAll().forUpdate().execute()
    claiming = claim(db, campaign, { canRepeat: true })
    // It has either waited in line behind us by now, or gone ahead with what was free.
    await Promise.race([claiming, waitingForALock()])
  })
  expect(await claiming?.then(seqsOf)).toEqual([1, 2, 3])
})

const waitingForALock = (): Promise<void> =>
  until('somebody waits for a lock', async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
    return rows.length > 0
  })

describe('a window that was left behind', () => {
  it('stays with its holder until the lease is over, and with nobody else before', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    expect(await tryClaim(db, campaign, { mayTakeOver: true })).toBeNull()
    await expireLease(db, window.key)
    expect(await tryClaim(db, campaign, { mayTakeOver: false })).toBeNull()
    expect(await renewLeases(db, [window.key])).toEqual(new Set([window.key.id]))
    expect(await tryClaim(db, campaign, { mayTakeOver: true })).toBeNull()
  })

  it('is taken over: what had not left is sent, what was in flight is unknown', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign)
    await fence(db, { ...window, deliveries: window.deliveries.slice(0, 2) })
    await expireLease(db, window.key)
    const taken = await claim(db, campaign, { mayTakeOver: true })
    expect(seqsOf(taken)).toEqual([3])
    expect(await states(db, campaign)).toBe('uuq')
    expect(await renewLeases(db, [window.key])).toEqual(new Set())
  })

  it('is taken over with what was in flight where a repetition is recognised', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign)
    await fence(db, { ...window, deliveries: window.deliveries.slice(0, 2) }, 2)
    await expireLease(db, window.key)
    const taken = await claim(db, campaign, { mayTakeOver: true, canRepeat: true })
    expect(await states(db, campaign)).toBe('iiq')
    const { calls, hopeless } = makeCalls(taken.deliveries, { batchMax: 2, repeatableMs: 60_000 })
    expect(hopeless).toEqual([])
    expect(calls.map(({ isRepeat, deliveries }) => [isRepeat, deliveries.length])).toEqual([
      [true, 2],
      [false, 1],
    ])
  })

  it('does not keep a cancelled campaign open for ever', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 3)
    const window = await claim(db, campaign)
    await fence(db, { ...window, deliveries: window.deliveries.slice(0, 1) })
    await setRunState(db, campaign.userId, campaign.id, { from: ['sending'], to: 'cancelled' })
    await sweepCancelled(db, campaign.id, { mayTakeOver: true })
    expect(await states(db, campaign)).toBe('icc')
    await expireLease(db, window.key)
    await sweepCancelled(db, campaign.id, { mayTakeOver: false })
    expect(await states(db, campaign)).toBe('icc')
    await sweepCancelled(db, campaign.id, { mayTakeOver: true })
    expect(await states(db, campaign)).toBe('ucc')
    expect(await step(db, window.key, settled(window, ACCEPTED), [])).toMatchObject({ holds: false })
  })

  it('does not keep a cancelled campaign open that gave back a call to be repeated', async () => {
    const { db } = database
    const campaign = await aStoredCampaign(db, 2)
    const window = await claim(db, campaign)
    await fence(db, window, 2)
    await step(db, window.key, settled(window, UNKNOWN, true), [])
    await letTimePass(db, campaign)
    const again = await claim(db, campaign, { canRepeat: true })
    await setRunState(db, campaign.userId, campaign.id, { from: ['sending'], to: 'cancelled' })
    await sweepCancelled(db, campaign.id, { mayTakeOver: false })
    expect(await states(db, campaign)).toBe('ii')
    await releaseWindow(db, again.key, false)
    await sweepCancelled(db, campaign.id, { mayTakeOver: false })
    expect(await states(db, campaign)).toBe('uu')
  })
})

it('gives a window back with what it still holds, for the next one to take', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  const window = await claim(db, campaign)
  await releaseWindow(db, window.key, false)
  expect(seqsOf(await claim(db, campaign))).toEqual([1, 2])
})

it('queues again only who failed, or only who is unknown, each with all tries before it', async () => {
  const { db } = database
  const campaign = await aStoredCampaign(db, 4)
  const window = await claim(db, campaign)
  await fence(db, window)
  const ends = ['a', 'f', 'u', 'f'] as const
  await step(
    db,
    window.key,
    settled(window, ACCEPTED).map((one, index) => ({ ...one, state: ends[index] ?? 'a' })),
    [],
  )
  await releaseWindow(db, window.key, true)
  expect(await queueAgain(db, campaign.userId, campaign.id, 'f')).toBe(2)
  expect(await states(db, campaign)).toBe('aquq')
  expect((await claim(db, campaign)).deliveries).toMatchObject([
    { seq: 2, attempts: 0, callSeq: null },
    { seq: 4, attempts: 0, callSeq: null },
  ])
  expect(await queueAgain(db, campaign.userId, campaign.id, 'u')).toBe(1)
  expect(await states(db, campaign)).toBe('aqqq')
})
