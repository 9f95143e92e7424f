import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, type SignedIn, signedIn } from '../test/accounts.ts'
import type { Browser } from '../test/browser.ts'
import { act, deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { createGate } from '../test/gate.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

let database: TestDatabase
let resend: ResendSimulator
let running: RunningApp
let ann: SignedIn
const gate = createGate()

const start = () =>
  aRunningApp({ RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href }, { database })

beforeAll(async () => {
  database = await freshDatabase()
  resend = await startResendSimulator()
  resend.lieBy(() => ({ kind: 'held', until: gate.pass() }))
  running = await start()
  ann = await aUser(running)
})
beforeEach(() => gate.open())
afterAll(async () => {
  await expectCountsToAddUp(database.db)
  await running[Symbol.asyncDispose]()
  await resend.close()
  await database[Symbol.asyncDispose]()
})

/** Who got a mail, as often as they got one. */
const reached = (name: string): string[] =>
  resend.ledger.flatMap(({ mail }) => mail.to).filter((address) => address.startsWith(name))

/**
 * A campaign of which some mails have left and most have not: there are a hundred in each call, and a few calls at once.
 * None but the first is answered until the gate lets it through.
 */
async function underWay(name: string, browser = ann.browser): Promise<string> {
  gate.shut()
  gate.letThrough(1)
  const { id } = await send(browser, { recipients: recipients(1_500, name) })
  await until('the first mails have left', async () => (await detail(browser, id)).counts.accepted >= 100)
  return id
}

async function drained(browser: Browser, id: string): Promise<void> {
  gate.open()
  await until('nothing is in flight', async () => (await detail(browser, id)).counts.inFlight === 0)
}

describe('pausing', () => {
  it('stops at once, outlives a restart, and resuming reaches only the rest', async () => {
    const id = await underWay('pause')
    const answer = await act(ann.browser, id, 'pause')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ id, state: 'paused', status: 'pending', pausedReason: null })
    await drained(ann.browser, id)
    const before = reached('pause').length
    expect(before).toBeLessThan(1_500)

    await running[Symbol.asyncDispose]()
    running = await start()
    ann = { ...ann, browser: await signedIn(running, ann.userId) }
    // The worker is at work again, and passes this campaign by.
    await finished(ann.browser, (await send(ann.browser, { recipients: recipients(300, 'other') })).id)
    expect(reached('pause')).toHaveLength(before)
    const paused = await detail(ann.browser, id)
    expect(paused).toMatchObject({ state: 'paused', successfulCount: before })
    expect(paused.counts).toMatchObject({ inFlight: 0, queued: 1_500 - before, unknown: 0 })

    expect((await act(ann.browser, id, 'resume')).json()).toMatchObject({ state: 'sending' })
    const done = await finished(ann.browser, id)
    expect(done).toMatchObject({ state: 'done', status: 'sent', successfulCount: 1_500 })
    expect(reached('pause').sort()).toEqual(recipients(1_500, 'pause').sort())
  })

  it('and resuming again and again repeats nobody and leaves nobody out', { tags: 'thorough' }, async () => {
    const id = await underWay('cycle')
    for (let round = 0; round < 10; round++) {
      expect((await act(ann.browser, id, 'pause')).status).toBe(200)
      expect((await act(ann.browser, id, 'resume')).status).toBe(200)
      gate.letThrough(1)
    }
    gate.open()
    expect((await finished(ann.browser, id)).counts).toMatchObject({ accepted: 1_500, unknown: 0, failed: 0 })
    expect(reached('cycle').sort()).toEqual(recipients(1_500, 'cycle').sort())
  })

  it('is answered when no mail can be put in flight any more by what began before', async () => {
    const id = await underWay('late')
    const step = createGate()
    step.shut()
    const isLocked = Promise.withResolvers<void>()
    const stepping = database.db.transaction().execute(async (tx) => {
      // Whoever holds a lock and does nothing for long is cut off, which is not what is looked at here.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`select from delivery_windows where campaign_id = ${id} for no key update`.execute(tx)
      isLocked.resolve()
      await step.pass()
    })
    await isLocked.promise
    let isAnswered = false
    const answer = act(ann.browser, id, 'pause').finally(() => (isAnswered = true))
    await until('it is paused', async () => (await detail(ann.browser, id)).state === 'paused')
    expect(isAnswered).toBe(false)
    step.open()
    expect((await answer).status).toBe(200)
    await stepping
    await act(ann.browser, id, 'cancel')
    gate.open()
    await finished(ann.browser, id)
  })

  it('twice is pausing once, and so is resuming', { tags: 'thorough' }, async () => {
    const id = await underWay('twice')
    for (const action of ['pause', 'pause', 'resume', 'resume'])
      expect((await act(ann.browser, id, action)).status, action).toBe(200)
    gate.open()
    expect((await finished(ann.browser, id)).counts.accepted).toBe(1_500)
  })
})

it('pausing what is paused leaves standing why it is', { tags: 'thorough' }, async () => {
  const id = await underWay('reason')
  await act(ann.browser, id, 'pause')
  const why = { paused_reason: 'Restored from a backup' }
  await running.db.updateTable('runs').set(why).where('campaign_id', '=', id).execute()
  expect((await act(ann.browser, id, 'pause')).json()).toMatchObject({ pausedReason: why.paused_reason })
  expect((await act(ann.browser, id, 'resume')).json()).toMatchObject({ pausedReason: null })
  expect((await act(ann.browser, id, 'cancel')).status).toBe(200)
  // Its calls that are on the way would else wait at the gate of the next test, in the places of that.
  await drained(ann.browser, id)
})

it('retrying the failed of a campaign that was paused while its last mails were under way sends to them', async () => {
  gate.shut()
  // Resend refuses a domain of one word.
  const { id } = await send(ann.browser, { recipients: ['last@localhost'] })
  // Only then it is with Resend: a call that has not begun is no longer made by a campaign that is paused.
  await until('Resend is called', () => resend.calls.some(({ body }) => body.includes('last@localhost')))
  expect((await detail(ann.browser, id)).counts).toMatchObject({ inFlight: 1 })
  expect((await act(ann.browser, id, 'pause')).json()).toMatchObject({ state: 'paused' })
  gate.open()
  const before = await finished(ann.browser, id)
  expect(before).toMatchObject({ state: 'done', counts: { failed: 1 } })
  const answer = await act(ann.browser, id, 'retry-failed')
  expect(answer.status).toBe(200)
  expect(answer.json()).toMatchObject({ pausedReason: null })
  expect(await finished(ann.browser, id)).toMatchObject({ state: 'done', counts: before.counts })
})

describe('cancelling', () => {
  it('ends the rest as cancelled, and the counts add up', async () => {
    const id = await underWay('cancel')
    const answer = await act(ann.browser, id, 'cancel')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ state: 'cancelled' })
    gate.open()
    const done = await finished(ann.browser, id)
    const { accepted, cancelled, ...others } = done.counts
    expect(others).toEqual({ queued: 0, inFlight: 0, failed: 0, unknown: 0, suppressed: 0 })
    expect(accepted + cancelled).toBe(1_500)
    expect(cancelled).toBeGreaterThan(0)
    expect(done).toMatchObject({ state: 'cancelled', status: 'sent', successfulCount: accepted })
    expect(reached('cancel')).toHaveLength(accepted)
    const [item] = await deliveries(ann.browser, id, '?state=cancelled&limit=1')
    expect(item?.reason).toBe('Cancelled before it was sent')
  })

  it('works on a paused campaign, and nothing of it leaves any more', async () => {
    const id = await underWay('both')
    await act(ann.browser, id, 'pause')
    await drained(ann.browser, id)
    const before = reached('both').length
    await act(ann.browser, id, 'cancel')
    const { counts } = await finished(ann.browser, id)
    expect(counts).toMatchObject({ accepted: before, cancelled: 1_500 - before })
    expect((await act(ann.browser, id, 'resume')).status).toBe(409)
    expect(reached('both')).toHaveLength(before)
  })

  it('of which nobody has got anything yet leaves a campaign that failed, however long the list', {
    tags: 'thorough',
  }, async () => {
    const { id } = await send(ann.browser, { recipients: recipients(12_000, 'early') })
    // Before the first window is in flight, or a little later: both must add up.
    await act(ann.browser, id, 'cancel')
    const { counts, status } = await finished(ann.browser, id)
    expect(counts.accepted + counts.cancelled).toBe(12_000)
    expect(reached('early')).toHaveLength(counts.accepted)
    expect(status).toBe(counts.accepted === 0 ? 'failed' : 'sent')
  })

  it('is not undone by a retry: only who failed is tried again', async () => {
    // Resend refuses a domain of one word.
    const bad = 'again@localhost'
    gate.shut()
    // It is in one of the first calls, of which four are made at once, and come in any order.
    gate.letThrough(4)
    const { id } = await send(ann.browser, { recipients: [bad, ...recipients(1_500, 'revive')] })
    await until('one has failed', async () => (await detail(ann.browser, id)).counts.failed === 1)
    await act(ann.browser, id, 'cancel')
    gate.open()
    const before = await finished(ann.browser, id)
    expect(before.counts.cancelled).toBeGreaterThan(0)
    expect((await act(ann.browser, id, 'retry-failed')).status).toBe(200)
    const after = await finished(ann.browser, id)
    expect(after.counts).toEqual(before.counts)
    expect(reached('revive')).toHaveLength(before.counts.accepted)
    expect((await act(ann.browser, id, 'retry-unconfirmed')).status).toBe(409)
  })
})

it.each(['pause', 'resume', 'cancel', 'retry-failed', 'retry-unconfirmed'])(
  'a campaign that has ended refuses %s with 409 and one sentence',
  async (action) => {
    const { id } = await send(ann.browser, { recipients: ['end@example.test'] })
    const done = await finished(ann.browser, id)
    const answer = await act(ann.browser, id, action)
    expect(answer.status).toBe(409)
    expect(answer.text).toMatch(/^[A-Z].* campaign.*$/)
    expect(await detail(ann.browser, id)).toEqual(done)
  },
)
