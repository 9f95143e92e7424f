import { expect, it } from 'vitest'
import type { Provider } from '../providers/provider.ts'
import { aProvider } from '../test/a-provider.ts'
import { aWorker } from '../test/a-worker.ts'
import { createGate } from '../test/gate.ts'
import {
  ACCEPTED,
  aStoredCampaign,
  databaseOfFile,
  type StoredCampaign,
  states,
} from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'
import { letStepsEnd, setRunState } from './store/changes.ts'

const database = databaseOfFile()

const countOf = async (campaign: StoredCampaign, state: string): Promise<number> =>
  (await states(database.db, campaign)).split(state).length - 1

const windowsOf = ({ id }: StoredCampaign) =>
  database.db.selectFrom('delivery_windows').select('token').where('campaign_id', '=', id).execute()

const onlyTheSilentFly = (campaign: StoredCampaign): Promise<void> =>
  until('only those are in flight who are not answered', async () => (await countOf(campaign, 'i')) === 2)

/** Windows grow from 125; of the first two the provider says nothing about one mail each, until it is let. */
const SILENT = [1, 126]

async function aCampaignWithSilentMails(count: number) {
  const { db } = database
  const campaign = await aStoredCampaign(db, count)
  const [gate, silence] = [createGate(), createGate()]
  gate.shut()
  silence.shut()
  const worker = aWorker(db, {
    async answer(messageId) {
      await (SILENT.includes(Number(messageId.split(' ')[1])) ? silence : gate).pass()
      return ACCEPTED
    },
  })
  const change = async (from: string, to: string): Promise<void> => {
    expect(await setRunState(db, campaign.userId, campaign.id, { from: [from], to })).toBe(true)
    await letStepsEnd(db, campaign.id)
  }
  worker.start()
  await until('both are called', () => {
    gate.letThrough(1)
    return SILENT.every((seq) => worker.mailsOf(campaign).includes(`${campaign.id} ${seq}`))
  })
  return {
    campaign,
    worker,
    change,
    answerTheOthers: gate.open,
    async end() {
      silence.open()
      await until('nothing is in flight', async () => (await countOf(campaign, 'i')) === 0)
      const mails = worker.mailsOf(campaign)
      expect(new Set(mails).size).toBe(mails.length)
      return mails.length
    },
    async [Symbol.asyncDispose]() {
      gate.open()
      silence.open()
      await worker[Symbol.asyncDispose]()
    },
  }
}

it('whoever resumes a campaign does not wait for mails that are never answered, and nobody is mailed twice', async () => {
  await using sending = await aCampaignWithSilentMails(1_000)
  const { campaign } = sending
  await sending.change('sending', 'paused')
  sending.answerTheOthers()
  await onlyTheSilentFly(campaign)
  await sending.change('paused', 'sending')
  await until('all others are sent', async () => (await countOf(campaign, 'a')) === 998)
  await onlyTheSilentFly(campaign)
  expect(await sending.end()).toBe(1_000)
  expect(await countOf(campaign, 'a')).toBe(1_000)
})

it('a long list is cancelled to its end while mails of it are never answered', {
  tags: 'thorough',
}, async () => {
  await using sending = await aCampaignWithSilentMails(12_000)
  const { campaign } = sending
  await sending.change('sending', 'cancelled')
  sending.answerTheOthers()
  await until('nobody is queued', async () => (await countOf(campaign, 'q')) === 0)
  await onlyTheSilentFly(campaign)
  await sending.end()
  await until('no window is left', async () => (await windowsOf(campaign)).length === 0)
})

it('whoever enters another relay does not wait for the one that never answers, and nobody is mailed by both', {
  tags: 'thorough',
}, async () => {
  const { db } = database
  const gate = createGate()
  gate.shut()
  const called: string[] = []
  const aRelay = (identity: string, pass: () => Promise<void>): Provider =>
    aProvider({
      identity,
      async send(_letter, copies) {
        called.push(...copies.map(({ to }) => to.address))
        await pass()
        return copies.map(() => ACCEPTED)
      },
    })
  const others = { relay: aRelay('the silent one', gate.pass) }
  await using worker = aWorker(db, { others })
  using _speaking = { [Symbol.dispose]: gate.open }
  const campaign = await aStoredCampaign(db, 1_000)
  await db.updateTable('runs').set({ account: 'relay' }).where('campaign_id', '=', campaign.id).execute()
  worker.start()
  await until('it is called', async () => called.length === 8 && (await windowsOf(campaign)).length === 2)
  others.relay = aRelay('another one', async () => {})
  await until('all others are sent', async () => (await countOf(campaign, 'a')) === 992)
  gate.open()
  await until('all are sent', async () => (await countOf(campaign, 'a')) === 1_000)
  expect([called.length, new Set(called).size]).toEqual([1_000, 1_000])
})
