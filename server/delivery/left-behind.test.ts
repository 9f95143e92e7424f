import { expect, it } from 'vitest'
import type { Provider } from '../providers/provider.ts'
import { aDelivery } from '../test/a-delivery.ts'
import { aProvider } from '../test/a-provider.ts'
import {
  aStoredCampaign,
  claim,
  databaseOfFile,
  expireLease,
  fence,
  states,
} from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { findCandidates } from './store/candidates.ts'
import { freeAccount, holdAccount } from './store/holds.ts'
import { noteWay } from './store/leases.ts'

const database = databaseOfFile()

const ACCOUNT = 'product'
const A_DAY_MS = 24 * 3_600_000

/** Of three mails a worker had put two in flight as one call, and died. */
async function aCampaignOfADeadWorker() {
  // As every worker does before it puts anybody in flight.
  await noteWay(database.db, ACCOUNT, aProvider({}).identity)
  const campaign = await aStoredCampaign(database.db, 3)
  const window = await claim(database.db, campaign)
  await fence(database.db, { ...window, deliveries: window.deliveries.slice(0, 2) }, 2)
  await expireLease(database.db, window.key)
  const isWindowOpen = async () => {
    const left = database.db.selectFrom('delivery_windows').select('token').where('id', '=', window.key.id)
    return (await left.executeTakeFirst())?.token === null
  }
  return { campaign, isWindowOpen }
}

const outOfQuota = () =>
  holdAccount(database.db, ACCOUNT, { milliseconds: A_DAY_MS, outage: 'The quota is used up', isAsked: true })

/** Works until something holds; nothing may be sent meanwhile. */
async function workUntil(
  what: string,
  providerOf: () => Promise<Provider | { outage: string }>,
  holds: () => Promise<boolean>,
): Promise<void> {
  const delivery = aDelivery(database.db, { providerOf })
  await delivery.work()
  try {
    await until(what, holds)
  } finally {
    await delivery.stop()
    await database.db.transaction().execute((tx) => freeAccount(tx, ACCOUNT))
  }
}

it('what a dead worker had in flight is soon unconfirmed, although its account cannot be used any more', {
  tags: 'thorough',
}, async () => {
  const { campaign, isWindowOpen } = await aCampaignOfADeadWorker()
  const unusable = async () => ({ outage: 'The credentials cannot be opened' })
  await workUntil('it is accounted for', unusable, isWindowOpen)
  expect(await states(database.db, campaign)).toBe('uuq')
})

it('what a dead worker had in flight is soon unconfirmed, although its account is held for a day', async () => {
  const { campaign, isWindowOpen } = await aCampaignOfADeadWorker()
  await outOfQuota()
  await workUntil('it is accounted for', async () => aProvider({ repeatableMs: 0 }), isWindowOpen)
  expect(await states(database.db, campaign)).toBe('uuq')
})

it('what a dead worker had in flight by a held account is kept where its repetition would be recognised', {
  tags: 'thorough',
}, async () => {
  const { campaign, isWindowOpen } = await aCampaignOfADeadWorker()
  await outOfQuota()
  await workUntil('its window is open', async () => aProvider({ repeatableMs: A_DAY_MS }), isWindowOpen)
  expect(await states(database.db, campaign)).toBe('iiq')
  const again = await claim(database.db, campaign, { canRepeat: true })
  expect(again.deliveries.map(({ seq, callSeq }) => [seq, callSeq])).toEqual([
    [1, 1],
    [2, 1],
    [3, null],
  ])
})

it('a campaign whose account is held is work only for what a dead worker left behind, and that once', {
  tags: 'thorough',
}, async () => {
  const { db } = database
  const { campaign } = await aCampaignOfADeadWorker()
  await outOfQuota()
  const found = async (mayTakeOver: boolean) =>
    (await findCandidates(db, { mayTakeOver, limit: 1_000, full: [], served: [] }))
      .filter(({ campaignId }) => campaignId === campaign.id)
      .map(({ todo }) => todo)
  expect(await found(false)).toEqual([])
  expect(await found(true)).toEqual(['tidy'])
  const provider = async () => aProvider({ repeatableMs: A_DAY_MS })
  await workUntil('it is tidied up', provider, async () => (await found(true)).length === 0)
})
