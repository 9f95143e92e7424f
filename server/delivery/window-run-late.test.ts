import { expect, it } from 'vitest'
import { aLetter } from '../test/simulators/a-mail.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  settled,
  states,
  tryClaim,
} from '../test/stored-campaign.ts'
import { makeCalls } from './calls.ts'
import { notBegun } from './settlement.ts'
import { openWaiting, releaseWindow, renewLeases, replaceToken } from './store/leases.ts'
import { step } from './store/steps.ts'
import { createWindowRun, type FencedCall } from './window-run.ts'

const database = databaseOfFile()

/**
 * A window of which the network can hold a step back: the worker hears that its line is gone, and the statement, on its
 * way already, reaches the database whenever the test lets it.
 */
async function aWindowOnABadLine(count: number, batchMax = count) {
  const { db } = database
  const campaign = await aStoredCampaign(db, count)
  const { key, deliveries } = await claim(db, campaign)
  let isLineCut = false
  let isAnswerLost = false
  let arrives = async (): Promise<unknown> => {
    throw new Error('nothing is under way')
  }
  const run = createWindowRun({
    key,
    campaign: { ...campaign, letter: aLetter() },
    ...makeCalls(deliveries, { batchMax, repeatableMs: 0 }),
    claimedAt: performance.now(),
    async step(...statement) {
      if (!isLineCut) return step(db, ...statement)
      arrives = () => step(db, ...statement)
      throw new Error('Connection terminated')
    },
    async replaceToken(...statement) {
      await replaceToken(db, ...statement)
      if (isAnswerLost) throw new Error('Connection terminated')
    },
    async openWaiting(...statement) {
      if (!isLineCut) return openWaiting(db, ...statement)
      arrives = () => openWaiting(db, ...statement)
      throw new Error('Connection terminated')
    },
  })
  return {
    db,
    campaign,
    run,
    states: () => states(db, campaign),
    async stepIntoTheVoid(allowance: number) {
      isLineCut = true
      await expect(run.step(allowance, 0)).rejects.toThrow('Connection terminated')
      isLineCut = false
    },
    async partIntoTheVoid() {
      isLineCut = true
      await expect(run.part()).rejects.toThrow('Connection terminated')
      isLineCut = false
    },
    async stepUnanswered() {
      isAnswerLost = true
      await expect(run.step(0, 0)).rejects.toThrow('Connection terminated')
      isAnswerLost = false
    },
    /** The step that went into the void reaches the database after all. */
    arriveLate: () => arrives(),
  }
}

async function onlyCall(calls: Promise<readonly FencedCall[]>): Promise<FencedCall> {
  const [call, ...others] = await calls
  if (!call || others.length > 0) throw new Error('one call was expected')
  return call
}

const neverBegan = ({ call, window }: FencedCall): void =>
  window.write(
    call,
    call.deliveries.map((one) => notBegun(one)),
  )

it('a step that arrives late takes back nobody who is in flight again, so nobody is mailed twice', async () => {
  const line = await aWindowOnABadLine(1)
  neverBegan(await onlyCall(line.run.step(1, 0)))
  await line.stepIntoTheVoid(0)
  await line.run.step(0, 0)
  const { call } = await onlyCall(line.run.step(1, 0))
  await line.arriveLate()
  expect(await line.states()).toBe('i')
  line.run.write(call, settled(call, ACCEPTED))
  await line.run.step(0, 0)
  expect(await line.states()).toBe('a')
})

it('a step that arrives late puts nobody in flight of whom the worker no longer knows', async () => {
  const line = await aWindowOnABadLine(2)
  await line.stepIntoTheVoid(2)
  await line.run.step(0, 0)
  await line.arriveLate()
  expect(await line.states()).toBe('qq')
  const { call } = await onlyCall(line.run.step(2, 0))
  expect(call.deliveries).toHaveLength(2)
})

it('a worker whose token was replaced without an answer replaces it again, and keeps its window', async () => {
  const line = await aWindowOnABadLine(1)
  neverBegan(await onlyCall(line.run.step(1, 0)))
  const before = line.run.key
  await line.stepIntoTheVoid(0)
  await line.stepUnanswered()
  await line.stepUnanswered()
  // A renewal that was asked for before, and is heard of after, finds the window in the same hands.
  expect(await renewLeases(line.db, [before])).toEqual(new Set([before.id]))
  await line.run.step(0, 0)
  expect(line.run.isLost()).toBe(false)
  const { call } = await onlyCall(line.run.step(1, 0))
  await line.arriveLate()
  line.run.write(call, settled(call, ACCEPTED))
  await line.run.step(0, 0)
  expect(await line.states()).toBe('a')
})

it('whoever has taken a window over keeps it, also when the one before replaces its token late', async () => {
  const line = await aWindowOnABadLine(1)
  await line.stepIntoTheVoid(1)
  const { run, db, campaign } = line
  await db
    .updateTable('delivery_windows')
    .set({ token: null, lease_until: null })
    .where('id', '=', run.key.id)
    .execute()
  const { key } = await claim(db, campaign)
  await run.step(0, 0)
  expect(run.isLost()).toBe(true)
  expect(await renewLeases(db, [run.key])).toEqual(new Set())
  expect(await renewLeases(db, [key])).toEqual(new Set([key.id]))
})

it('a parting that arrives late, after it was asked for again, opens nobody a second time', async () => {
  const line = await aWindowOnABadLine(3, 1)
  const { run, db, campaign } = line
  const { call } = await onlyCall(run.step(1, 0))
  await line.partIntoTheVoid()
  expect(run.waiting()).toBe(2)
  await run.part()
  expect(run.waiting()).toBe(0)
  const next = await claim(db, campaign)
  expect(next.deliveries.map(({ seq }) => seq)).toEqual([2, 3])
  await line.arriveLate()
  expect(await tryClaim(db, campaign)).toBeNull()
  run.write(call, settled(call, ACCEPTED))
  await run.step(0, 0)
  expect([run.isEmpty(), run.isLost(), await line.states()]).toEqual([true, false, 'aqq'])
})

it('a parting that arrives late opens nobody who is in flight by then, so an accepted mail stays accepted', async () => {
  const line = await aWindowOnABadLine(3, 1)
  const { run, db, campaign } = line
  const { call: first } = await onlyCall(run.step(1, 0))
  await line.partIntoTheVoid()
  const { call: second } = await onlyCall(run.step(1, 0))
  await line.arriveLate()
  expect(await tryClaim(db, campaign)).toBeNull()
  expect(await line.states()).toBe('iiq')
  run.write(first, settled(first, ACCEPTED))
  run.write(second, settled(second, ACCEPTED))
  await run.step(0, 0)
  expect([run.isLost(), await line.states()]).toEqual([false, 'aaq'])
})

it('a worker that was not told that its token was replaced parts with who waits, and keeps the rest', async () => {
  const line = await aWindowOnABadLine(3, 1)
  const { run, db, campaign } = line
  const { call } = await onlyCall(run.step(1, 0))
  await line.partIntoTheVoid()
  await line.stepUnanswered()
  await run.part()
  expect([run.waiting(), run.isLost()]).toEqual([0, false])
  const next = await claim(db, campaign)
  expect(next.deliveries.map(({ seq }) => seq)).toEqual([2, 3])
  run.write(call, settled(call, ACCEPTED))
  await run.step(0, 0)
  expect(await line.states()).toBe('aqq')
})

it('a parting that arrives after the window was given back as a whole changes nothing', async () => {
  const line = await aWindowOnABadLine(3, 1)
  const { run, db, campaign } = line
  const { call } = await onlyCall(run.step(1, 0))
  await line.partIntoTheVoid()
  run.write(call, settled(call, ACCEPTED))
  await run.step(0, 0)
  await releaseWindow(db, run.key, false)
  await line.arriveLate()
  const next = await claim(db, campaign)
  expect(next.deliveries.map(({ seq }) => seq)).toEqual([2, 3])
  expect(await tryClaim(db, campaign)).toBeNull()
})

it('whoever parts with a window that was taken over has lost it, and opens nothing of it', async () => {
  const line = await aWindowOnABadLine(2, 1)
  const { run, db, campaign } = line
  await run.step(1, 0)
  await expireLease(db, run.key)
  const { deliveries } = await claim(db, campaign, { mayTakeOver: true })
  expect(deliveries.map(({ seq }) => seq)).toEqual([2])
  await run.part()
  expect(run.isLost()).toBe(true)
  expect(await tryClaim(db, campaign)).toBeNull()
  expect(await line.states()).toBe('uq')
})
