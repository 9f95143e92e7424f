import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Outcome } from '../providers/provider.ts'
import { aWorker } from '../test/a-worker.ts'
import { createGate } from '../test/gate.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  letTimePass,
  type StoredCampaign,
  states,
  UNKNOWN,
} from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { createWays } from './dispatcher-ways.ts'
import { holdAccount } from './store/holds.ts'
import { releaseWindow } from './store/leases.ts'

const database = databaseOfFile()

const aWorkerWith = (identity: string, answer?: () => Promise<Outcome>) =>
  aWorker(database.db, { identity, concurrency: 1, repeatableMs: 3_600_000_000, ...(answer && { answer }) })

const isAccepted = async (campaign: StoredCampaign): Promise<boolean> =>
  /^a+$/.test(await states(database.db, campaign))

async function sendsBy(worker: ReturnType<typeof aWorker>): Promise<void> {
  const campaign = await aStoredCampaign(database.db, 1)
  await worker.wake()
  await until('it is sent', () => isAccepted(campaign))
  expect(worker.mailsOf(campaign)).toHaveLength(1)
}

const nobodyHoldsAWindow = (): Promise<void> =>
  until('nobody holds a window', async () => {
    const held = database.db.selectFrom('delivery_windows').select('id').where('token', 'is not', null)
    return (await held.execute()).length === 0
  })

it('a worker whose provider another one has replaced asks it nothing more, so nobody is mailed by both', async () => {
  let answer: Outcome = ACCEPTED
  await using old = aWorkerWith('the old provider', async () => answer)
  await using young = aWorkerWith('the new provider')
  await sendsBy(old)
  await sendsBy(young)
  answer = UNKNOWN
  const campaign = await aStoredCampaign(database.db, 1)
  await old.wake()
  await nobodyHoldsAWindow()
  await letTimePass(database.db, campaign)
  await young.wake()
  await until('it is sent', () => isAccepted(campaign))
  expect([...old.mailsOf(campaign), ...young.mailsOf(campaign)]).toHaveLength(1)
})

it('what such a worker has in hand and not in flight comes to the new one, and each is mailed once', async () => {
  const gate = createGate()
  await using old = aWorkerWith('another old provider', () => gate.pass().then(() => ACCEPTED))
  await using young = aWorkerWith('another new provider')
  await sendsBy(old)
  gate.shut()
  const campaign = await aStoredCampaign(database.db, 100)
  await old.wake()
  await until('the first is called', () => old.mailsOf(campaign).length > 0)
  await sendsBy(young)
  const inFlight = (await states(database.db, campaign)).replaceAll('q', '').length
  gate.open()
  await nobodyHoldsAWindow()
  expect(old.mailsOf(campaign).length).toBeLessThanOrEqual(inFlight)
  await until('all are sent', async () => {
    await young.wake()
    return isAccepted(campaign)
  })
  const all = [...old.mailsOf(campaign), ...young.mailsOf(campaign)]
  expect([all.length, new Set(all).size]).toEqual([100, 100])
})

it('a provider that has been replaced keeps the account waiting no longer, although it asked for a day', async () => {
  await using spent = aWorkerWith('a provider whose quota is used up')
  await sendsBy(spent)
  await holdAccount(database.db, 'product', {
    milliseconds: 86_400_000,
    outage: 'The quota is used up',
    isAsked: true,
  })
  const campaign = await aStoredCampaign(database.db, 2)
  // The same one again, as after a restart, has as little left as before.
  await using same = aWorkerWith('a provider whose quota is used up')
  await same.wake()
  expect(await states(database.db, campaign)).toBe('qq')
  await using other = aWorkerWith('a provider with a quota of its own')
  await other.wake()
  await until('all are sent', () => isAccepted(campaign))
  expect([...same.mailsOf(campaign), ...other.mailsOf(campaign)]).toHaveLength(2)
  const holds = database.db.selectFrom('account_holds').selectAll().where('account', '=', 'product')
  expect(await holds.execute()).toEqual([])
})

it('what a provider asks for after it was replaced keeps nobody waiting', async () => {
  const gate = createGate()
  const wait: Outcome = { kind: 'try-later', reason: 'used up', afterMs: 86_400_000, about: 'account' }
  let answer: Outcome = ACCEPTED
  await using old = aWorkerWith('a provider that answers late', () => gate.pass().then(() => answer))
  await using young = aWorkerWith('its successor')
  await sendsBy(old)
  gate.shut()
  answer = wait
  const campaign = await aStoredCampaign(database.db, 1)
  await old.wake()
  await until('it is called', () => old.mailsOf(campaign).length > 0)
  await sendsBy(young)
  gate.open()
  await nobodyHoldsAWindow()
  await young.wake()
  await until('it is sent', () => isAccepted(campaign))
})

/** Asks every second, as a worker does that sees work which it may not take. */
function anAsker(identity: string) {
  let now = 0
  const ways = createWays(database.db, () => now)
  return {
    isOurs: () => ways.isOurs('product', identity),
    standStill: (seconds: number) => {
      now += seconds * 1_000
    },
    async asksInVainFor(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        expect(await ways.isOurs('product', identity), `after ${second} s`).toBe(false)
        now += 1_000
      }
    },
  }
}

it('a worker takes its account back when whoever replaced its provider is gone, and not before', async () => {
  const { db } = database
  const [old, young] = [anAsker('one that was rolled back to'), anAsker('one that was tried')]
  expect(await old.isOurs()).toBe(true)
  expect(await young.isOurs()).toBe(true)
  const { key } = await claim(db, await aStoredCampaign(db, 1))
  await old.asksInVainFor(60)
  await expireLease(db, key)
  await old.asksInVainFor(10)
  // Who had nothing to ask for meanwhile has not seen that nobody came.
  old.standStill(60)
  await old.asksInVainFor(30)
  expect(await old.isOurs()).toBe(true)
  expect(await young.isOurs()).toBe(false)
  await releaseWindow(db, key, false)
  await sql`update runs set state = 'paused' where campaign_id = ${key.campaignId}`.execute(db)
})
