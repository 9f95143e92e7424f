import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { act, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { aStoredCampaign } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp()
})
afterAll(() => running[Symbol.asyncDispose]())
beforeEach(async () => {
  ann = await aUser(running)
})

type Counts = { delivered: number; accepted?: number; bounced?: number; unsent?: number; complained?: number }

/** As a campaign to so many people, of some days ago, has left its counts behind. */
async function past(counts: Counts, daysAgo = 1) {
  const { id } = await send(ann.browser, { recipients: ['old@example.test'] })
  await finished(ann.browser, id)
  await running.settled()
  const created_at = sql<Date>`now() - ${daysAgo} * interval '1 day'`
  await running.db
    .updateTable('runs')
    .set({ ...counts, created_at })
    .where('campaign_id', '=', id)
    .execute()
}

/** A campaign that waits: it has more to do, as a longer one would. */
async function aWaitingCampaign(): Promise<string> {
  const waiting = await send(ann.browser, { recipients: recipients(3, 'waiting') })
  await finished(ann.browser, waiting.id)
  await running.db.updateTable('runs').set({ is_open: true }).where('campaign_id', '=', waiting.id).execute()
  return waiting.id
}

/** A campaign that waits, and beside it a mail that is complained about, or comes back. */
async function complaintWhile(about = 'complained@resend.dev'): Promise<string> {
  const id = await aWaitingCampaign()
  await send(ann.browser, { recipients: [about] })
  await running.settled()
  return id
}

it('a user whose mails are reported as spam too often is stopped, with the reason on screen and by mail', async () => {
  await past({ delivered: 1_100, complained: 3 })
  const id = await complaintWhile()
  await until('it is paused', async () => (await detail(ann.browser, id)).state === 'paused')
  const { pausedReason } = await detail(ann.browser, id)
  expect(pausedReason).toMatch(
    /^Paused to protect the sending address .* reported as spam \(0\.36 %, the limit is 0\.3 %\)/,
  )
  const mail = await running.mails.latest(ann.email)
  expect(mail.subject).toBe('Your campaigns are paused')
  expect(mail.text).toContain(pausedReason)
  expect((await act(ann.browser, id, 'resume')).status).toBe(200)
})

it('one whose mails are rarely reported goes on, and so does one whose bad days are over', async () => {
  await past({ delivered: 2_000, complained: 3 })
  await past({ delivered: 1_000, complained: 50 }, 8)
  const id = await complaintWhile()
  expect((await detail(ann.browser, id)).pausedReason).toBeNull()
  expect(await running.mails.all(ann.email)).toEqual([])
})

it('one whose mails came back is stopped; one whose mails the provider took and did not send goes on', async () => {
  await past({ delivered: 0, accepted: 600, bounced: 600 })
  const stopped = await complaintWhile('bounced+stopped@resend.dev')
  await until('it is paused', async () => (await detail(ann.browser, stopped)).state === 'paused')
  expect((await detail(ann.browser, stopped)).pausedReason).toContain('601 of your last')

  ann = await aUser(running)
  await past({ delivered: 0, accepted: 600, bounced: 600, unsent: 600 })
  const id = await complaintWhile('bounced+unsent@resend.dev')
  expect((await detail(ann.browser, id)).pausedReason).toBeNull()
  expect(await running.mails.all(ann.email)).toEqual([])
})

it('one is stopped also where something else that the report asks for fails: told again, it is no news', async () => {
  const { db } = running
  await past({ delivered: 1_100, complained: 3 })
  const queued = await aStoredCampaign(db, 1, ann.userId)
  await db.updateTable('runs').set({ state: 'paused' }).where('campaign_id', '=', queued.id).execute()
  await db
    .updateTable('deliveries')
    .set({ address_key: 'complained@resend.dev' })
    .where('campaign_id', '=', queued.id)
    .execute()
  await sql`create function keep_in() returns trigger language plpgsql as
    $$ begin raise 'nobody is left out here'; end $$`.execute(db)
  await sql`create trigger keep_in before update of state on deliveries
    for each row when (new.state = 's') execute function keep_in()`.execute(db)
  onTestFinished(async () => void (await sql`drop trigger keep_in on deliveries`.execute(db)))
  const id = await aWaitingCampaign()
  await send(ann.browser, { recipients: ['complained@resend.dev'] })
  await until('it is paused', async () => (await detail(ann.browser, id)).state === 'paused')
})
