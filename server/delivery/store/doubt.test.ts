import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { anEvent, recordAll } from '../../test/campaign-events.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  claim,
  databaseOfFile,
  fence,
  type StoredCampaign,
  settled,
  states,
  UNKNOWN,
} from '../../test/stored-campaign.ts'
import { notBegun } from '../settlement.ts'
import { queueAgain, setRunState, sweepCancelled } from './changes.ts'
import type { ClaimedWindow } from './claims.ts'
import { step } from './steps.ts'
import { leaveOutQueued } from './suppressed.ts'

const database = databaseOfFile()

/** Of four, nobody can say whether the first and the second have got their mail; both are to be sent again. */
async function aSecondTry(): Promise<{ campaign: StoredCampaign; others: ClaimedWindow }> {
  const { db } = database
  const campaign = await aStoredCampaign(db, 4)
  const window = await claim(db, campaign)
  const first = { ...window, deliveries: window.deliveries.slice(0, 2) }
  await fence(db, first)
  await step(db, window.key, settled(first, UNKNOWN), [])
  expect(await states(db, campaign)).toBe('uuqq')
  expect(await queueAgain(db, campaign.userId, campaign.id, 'u')).toBe(2)
  expect(await states(db, campaign)).toBe('qqqq')
  return { campaign, others: { ...window, deliveries: window.deliveries.slice(2) } }
}

async function suppressTwo({ userId }: StoredCampaign): Promise<void> {
  await sql`insert into suppressions (user_id, address_key, address, reason)
    select ${userId}::uuid, key, key, 'u' from unnest(array['r2@x.test', 'r3@x.test']) key`.execute(
    database.db,
  )
}

const reasonOf = async ({ id }: StoredCampaign, seq: number): Promise<string | null | undefined> => {
  const row = database.db.selectFrom('deliveries').select('reason').where('campaign_id', '=', id)
  return (await row.where('seq', '=', seq).executeTakeFirst())?.reason
}

const LEFT_OUT = 'Left out: this person has unsubscribed'
const OR_NOT = '; an earlier try may have been taken'

/** Of two nobody can say whether the first has got its mail; the second still waits in the worker's hands. */
async function aDoubtfulFirst(): Promise<{ campaign: StoredCampaign; second: ClaimedWindow }> {
  const { db } = database
  const campaign = await aStoredCampaign(db, 2)
  const window = await claim(db, campaign)
  const first = { ...window, deliveries: window.deliveries.slice(0, 1) }
  await fence(db, first)
  await step(db, window.key, settled(first, UNKNOWN), [])
  return { campaign, second: { ...window, deliveries: window.deliveries.slice(1) } }
}

it('whoever is in flight may join the unknown: before that is settled nobody of them is queued again', async () => {
  const { db } = database
  const { campaign, second } = await aDoubtfulFirst()
  const { userId, id } = campaign
  await fence(db, second)
  expect(await queueAgain(db, userId, id, 'u')).toBe(0)
  expect(await states(db, campaign)).toBe('ui')
  await step(db, second.key, settled(second, ACCEPTED), [])
  expect(await queueAgain(db, userId, id, 'u')).toBe(1)
})

it('nobody is queued again who is unknown in the place of another, though they are as many as were shown', async () => {
  const { db } = database
  const { campaign, second } = await aDoubtfulFirst()
  const { userId, id } = campaign
  const nobody = { queued: 0, inFlight: 0, accepted: 0, failed: 0, unknown: 0, suppressed: 0, cancelled: 0 }
  const shown = { round: 1, counts: { ...nobody, queued: 1, unknown: 1 } }
  await recordAll(db, 'product', [anEvent(campaign, 1, { kind: 'delivered' })])
  await fence(db, second)
  await step(db, second.key, settled(second, UNKNOWN), [])
  expect(await queueAgain(db, userId, id, 'u', shown)).toBe(0)
  expect(await states(db, campaign)).toBe('au')
  const shownAnew = { round: 1, counts: { ...nobody, accepted: 1, unknown: 1 } }
  expect(await queueAgain(db, userId, id, 'u', shownAnew)).toBe(1)
})

it('who may have got the mail is unconfirmed, not cancelled, when the second one is', async () => {
  const { db } = database
  const { campaign } = await aSecondTry()
  const { id, userId } = campaign
  await setRunState(db, userId, id, { from: ['sending'], to: 'paused' })
  await setRunState(db, userId, id, { from: ['paused'], to: 'cancelled' })
  await sweepCancelled(db, id, { mayTakeOver: false })
  expect(await states(db, campaign)).toBe('uucc')
  expect(await reasonOf(campaign, 1)).toBe(`Cancelled before it was sent again${OR_NOT}`)
  expect(await reasonOf(campaign, 3)).toBe('Cancelled before it was sent')
})

it('who may have got the mail is unconfirmed when they come onto the list, until a report proves it', async () => {
  const { db } = database
  const { campaign } = await aSecondTry()
  await suppressTwo(campaign)
  await leaveOutQueued(db, campaign.userId, ['r2@x.test', 'r3@x.test'])
  expect(await states(db, campaign)).toBe('qusq')
  expect(await reasonOf(campaign, 2)).toBe(LEFT_OUT + OR_NOT)
  expect(await reasonOf(campaign, 3)).toBe(LEFT_OUT)
  await recordAll(db, 'product', [anEvent(campaign, 2, { kind: 'delivered' })])
  expect(await states(db, campaign)).toBe('qasq')
})

it('who may have got the mail is unconfirmed when they are found on the list as the second one is claimed', async () => {
  const { campaign } = await aSecondTry()
  await suppressTwo(campaign)
  const again = await claim(database.db, campaign)
  expect(again.deliveries.map(({ seq }) => seq)).toEqual([1])
  expect(await states(database.db, campaign)).toBe('quqq')
  expect(await reasonOf(campaign, 2)).toBe(LEFT_OUT + OR_NOT)
})

it('who may have got the mail is unconfirmed when they are found on the list as its call begins anew', async () => {
  const { db } = database
  const { campaign } = await aSecondTry()
  const again = await claim(db, campaign)
  await fence(db, again)
  await suppressTwo(campaign)
  await step(
    db,
    again.key,
    again.deliveries.map((one) => notBegun(one)),
    [],
  )
  await fence(db, again, 1, [], { returned: [1, 2] })
  expect(await states(db, campaign)).toBe('iuqq')
  expect(await reasonOf(campaign, 2)).toBe(LEFT_OUT + OR_NOT)
})

it('who may have got the mail is unconfirmed when the second one is refused, and failed only who got none', async () => {
  const { db } = database
  const { campaign, others } = await aSecondTry()
  await fence(db, others)
  await step(db, others.key, settled(others, { kind: 'rejected', reason: '550 no' }), [])
  expect(await states(db, campaign)).toBe('qqff')
  const again = await claim(db, campaign)
  await fence(db, again)
  await step(db, again.key, settled(again, { kind: 'rejected', reason: '550 no' }), [])
  expect(await states(db, campaign)).toBe('uuff')
  expect([await reasonOf(campaign, 1), await reasonOf(campaign, 3)]).toEqual([`550 no${OR_NOT}`, '550 no'])
  expect(await queueAgain(db, campaign.userId, campaign.id, 'f')).toBe(2)
  expect(await states(db, campaign)).toBe('uuqq')
})
