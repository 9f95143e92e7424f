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
} from '../test/stored-campaign.ts'
import { makeCalls } from './calls.ts'
import { openWaiting, replaceToken } from './store/leases.ts'
import { step } from './store/steps.ts'
import { leaveOutQueued } from './store/suppressed.ts'
import { createWindowRun } from './window-run.ts'

const database = databaseOfFile()

/** A window of one call, from which one person is left out before it is put in flight; it has just been handed over. */
async function aCallThatLacksOne() {
  const { db } = database
  const campaign = await aStoredCampaign(db, 3)
  const { key, deliveries } = await claim(db, campaign)
  await db
    .insertInto('suppressions')
    .values({ user_id: campaign.userId, address: 'r2@x.test', address_key: 'r2@x.test', reason: 'u' })
    .execute()
  await leaveOutQueued(db, campaign.userId, ['r2@x.test'])
  const run = createWindowRun({
    key,
    campaign: { ...campaign, letter: aLetter() },
    ...makeCalls(deliveries, { batchMax: 3, repeatableMs: 60_000 }),
    claimedAt: performance.now(),
    step: (...statement) => step(db, ...statement),
    replaceToken: (...statement) => replaceToken(db, ...statement),
    openWaiting: (...statement) => openWaiting(db, ...statement),
  })
  for (let steps = 0; steps < 3; steps++) {
    const [fenced] = await run.step(3, 0)
    if (fenced) return { db, campaign, run, call: fenced.call }
  }
  throw new Error('no call was handed over')
}

it('a call from which somebody was left out before it is repeated as it was after its worker was killed', async () => {
  const { db, campaign, run, call } = await aCallThatLacksOne()
  expect(call.deliveries.map(({ seq }) => seq)).toEqual([1, 3])
  await expireLease(db, run.key)
  const taken = await claim(db, campaign, { mayTakeOver: true, canRepeat: true })
  const { calls, hopeless } = makeCalls(taken.deliveries, { batchMax: 3, repeatableMs: 60_000 })
  expect(hopeless).toEqual([])
  expect(calls.map(({ isRepeat, deliveries }) => [isRepeat, deliveries.map(({ seq }) => seq)])).toEqual([
    [true, [1, 3]],
  ])
})

it('a call from which somebody was left out is accounted for to the last one, and costs nobody a try', async () => {
  const { db, campaign, run, call } = await aCallThatLacksOne()
  run.write(call, settled(call, ACCEPTED))
  await run.step(0, 0)
  expect(run.isEmpty()).toBe(true)
  expect(await states(db, campaign)).toBe('asa')
  const attempts = db.selectFrom('deliveries').select('attempts').where('campaign_id', '=', campaign.id)
  expect((await attempts.orderBy('seq').execute()).map((row) => row.attempts)).toEqual([1, 0, 1])
})
