import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CampaignProgress } from '../../contract/campaigns.ts'
import { anAccount, aUser, type SignedIn, signedIn } from '../test/accounts.ts'
import { finished, recipients, send } from '../test/campaigns.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { type EventStream, type StreamEvent, watch } from '../test/event-stream.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { until } from '../test/until.ts'

let database: TestDatabase
/** Two that answer browsers, and one that sends. */
let web: RunningApp
let otherWeb: RunningApp
let worker: RunningApp
let ann: SignedIn
beforeAll(async () => {
  database = await freshDatabase()
  web = await aRunningApp({ ROLES: 'web' }, { database })
  otherWeb = await aRunningApp({ ROLES: 'web' }, { database })
  worker = await aRunningApp({ ROLES: 'worker' }, { database })
  ann = await aUser(web)
})
afterAll(async () => {
  for (const running of [web, otherWeb, worker]) await running[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const isDone =
  (id: string) =>
  ({ name, data }: StreamEvent): boolean => {
    const progress = CampaignProgress.safeParse(data)
    return (
      name === 'campaign' && progress.success && progress.data.id === id && progress.data.state === 'done'
    )
  }
const ofCampaign = ({ events }: EventStream, id: string): CampaignProgress[] =>
  events.map(({ data }) => CampaignProgress.parse(data)).filter((progress) => progress.id === id)

it('tells a page how its campaign fares, in processes that do not send it', async () => {
  const streams = [await watch(web, ann.browser), await watch(otherWeb, await signedIn(otherWeb, ann.userId))]
  for (const { status, headers } of streams) {
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': expect.stringContaining('no-store'),
      'x-content-type-options': 'nosniff',
    })
  }
  const { id } = await send(ann.browser, { recipients: recipients(300) })
  for (const stream of streams) {
    await stream.next('the end of the campaign', isDone(id))
    const last = ofCampaign(stream, id).at(-1)
    expect(last).toMatchObject({ status: 'sent', state: 'done', pausedReason: null })
    expect(last?.counts).toMatchObject({ accepted: 300, queued: 0, inFlight: 0 })
    stream.leave()
  }
})

it('tells nobody of the campaigns of others', async () => {
  const eve = await aUser(web)
  const [hers, mine] = [await watch(web, eve.browser), await watch(web, ann.browser)]
  const { id } = await send(ann.browser, {})
  await mine.next('the end of the campaign', isDone(id))
  // What comes after it on the same way has overtaken nothing.
  const own = await send(eve.browser, {})
  await hers.next('the end of her own', isDone(own.id))
  expect(new Set(hers.events.map(({ data }) => CampaignProgress.parse(data).id))).toEqual(new Set([own.id]))
  for (const stream of [hers, mine]) stream.leave()
})

it('tells of everything that changes once the stream is open', async () => {
  const { id } = await send(ann.browser, {})
  // The first stream of a process begins to listen on the database, and must not miss what comes meanwhile.
  for (let round = 0; round < 5; round++) {
    await using fresh = await aRunningApp({ ROLES: 'web' }, { database })
    const stream = await watch(fresh, await signedIn(fresh, ann.userId))
    const notice = JSON.stringify({ userId: ann.userId, kind: 'campaign', id })
    await sql`select pg_notify('postrider_notices', ${notice})`.execute(database.db)
    await stream.next('what was published after the stream was open', ({ name }) => name === 'campaign')
  }
})

it('ends the streams when it can no longer hear, so that pages come back and read what they missed', async () => {
  const stream = await watch(web, ann.browser)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'postrider notices'`.execute(database.db)
  await stream.ended
  const again = await watch(web, ann.browser)
  expect(again.status).toBe(200)
  const { id } = await send(ann.browser, {})
  await again.next('the end of the campaign', isDone(id))
  again.leave()
})

it('ends a stream when it could not say what has changed, so that the page comes back and reads it', async () => {
  await using running = await aRunningApp({ ROLES: 'web' })
  const bob = await aUser(running)
  const stream = await watch(running, bob.browser)
  await sql`alter table runs rename to runs_elsewhere`.execute(running.db)
  const notice = JSON.stringify({ userId: bob.userId, kind: 'campaign', id: randomUUID() })
  await sql`select pg_notify('postrider_notices', ${notice})`.execute(running.db)
  expect(await stream.ended).toBe('whole')
})

it('ends the streams at once when it closes', async () => {
  const running = await aRunningApp({ ROLES: 'web' }, { database })
  const stream = await watch(running, await signedIn(running, ann.userId))
  await running[Symbol.asyncDispose]()
  // A request that does not end is waited for, and then cut.
  expect(await stream.ended).toBe('whole')
})

it('needs a session', async () => {
  const stream = await watch(web, web.browser())
  expect(stream.status).toBe(401)
  await stream.ended
  expect(stream.text()).toBe('You are not signed in')
})

const ways: Record<string, (account: SignedIn) => Promise<unknown>> = {
  'a new password': async ({ email }) => {
    await web.browser().post('/api/auth/forgot-password', { email })
    const link = await web.mails.link(email, '/reset-password', 2)
    const token = link.searchParams.get('token')
    await web.browser().post('/api/auth/reset-password', { token, password: 'quite another phrase' })
  },
  'signing out': ({ browser }) => browser.post('/api/auth/logout', {}),
}

it.each(Object.entries(ways))('tells a page whose session ended by %s nothing more', async (_way, end) => {
  const account = await anAccount(web)
  const { browser, userId } = account
  const { id } = await send(browser, {})
  await finished(browser, id)
  const stream = await watch(web, browser)
  await end(account)
  // Known by it, for the last word about the campaign itself may still be on its way.
  await database.db.updateTable('runs').set({ opened: 1 }).where('campaign_id', '=', id).execute()
  const isNew = ({ data }: StreamEvent) => (data as CampaignProgress).openedCount === 1
  const notice = JSON.stringify({ userId, kind: 'campaign', id })
  await sql`select pg_notify('postrider_notices', ${notice})`.execute(database.db)
  expect(await Promise.race([stream.ended, stream.next('an event', isNew)])).toBe('whole')
  expect(stream.events.filter(isNew)).toEqual([])
})

it('has room for twenty open pages of a user, and again once some are closed', async () => {
  const bob = await aUser(web)
  const streams = await Promise.all(Array.from({ length: 20 }, () => watch(web, bob.browser)))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  expect((await watch(web, bob.browser)).status).toBe(429)
  // It is his limit, not everybody's.
  const mine = await watch(web, ann.browser)
  expect(mine.status).toBe(200)
  for (const stream of [...streams, mine]) stream.leave()
  await until('there is room again', async () => {
    const stream = await watch(web, bob.browser)
    stream.leave()
    return stream.status === 200
  })
})
