import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmailActivity, Stats } from '../../contract/stats.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import type { Browser } from '../test/browser.ts'
import { act, deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { inOneDay } from '../test/one-day.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

const strangers = ['fail1@example.test', 'fail2@example.test']
let relay: SmtpSimulator
/** Sends by a relay that refuses some, and loses some. */
let byRelay: RunningApp
/** Sends into the local mailbox, which reports what becomes of mail. */
let byMailbox: RunningApp
beforeAll(async () => {
  relay = await startSmtpSimulator({ unknownRecipients: strangers })
  byRelay = await aRunningApp({ SMTP_URL: relay.url.href })
  byMailbox = await aRunningApp({ ALLOW_PRIVATE_HOSTS: 'localhost' })
})
afterAll(async () => {
  for (const running of [byRelay, byMailbox]) {
    await expectCountsToAddUp(running.db)
    await running[Symbol.asyncDispose]()
  }
  await relay.close()
})

async function statsOf(browser: Browser): Promise<Stats> {
  const answer = await browser.get('/api/stats')
  if (answer.status !== 200) throw new Error(`the statistics answered ${answer.status}: ${answer.text}`)
  return answer.json() as Stats
}
async function activityOf(browser: Browser, query = ''): Promise<EmailActivity> {
  const answer = await browser.get(`/api/email-activity${query}`)
  if (answer.status !== 200) throw new Error(`the activity answered ${answer.status}: ${answer.text}`)
  return answer.json() as EmailActivity
}
const expectToAddUp = (stats: Stats) =>
  expect(stats.totalSent + stats.totalFailed + stats.totalPending + stats.totalUnconfirmed).toBe(stats.total)

const NOTHING = {
  total: 0,
  totalSent: 0,
  totalFailed: 0,
  totalPending: 0,
  totalUnconfirmed: 0,
  totalSuppressed: 0,
  totalCancelled: 0,
  totalDelivered: 0,
  isDeliveryPresumed: false,
  totalBounced: 0,
  totalComplained: 0,
  totalOpened: 0,
  successRate: '0.0',
  deliveryRate: '0.0',
  bounceRate: '0.0',
  spamRate: '0.0',
  openRate: '0.0',
}

/** What the deliveries themselves say. */
async function countDeliveries({ db }: RunningApp, { userId }: SignedIn) {
  const { rows } = await sql`
    select count(*) filter (where state not in ('s', 'c'))::integer as total,
      count(*) filter (where state = 'a')::integer as "totalSent",
      count(*) filter (where state = 'f')::integer as "totalFailed",
      count(*) filter (where state in ('q', 'i'))::integer as "totalPending",
      count(*) filter (where state = 'u')::integer as "totalUnconfirmed",
      count(*) filter (where state = 's')::integer as "totalSuppressed",
      count(*) filter (where state = 'c')::integer as "totalCancelled",
      count(delivered_at) filter (where bounce is null)::integer as "totalDelivered",
      count(bounced_at)::integer as "totalBounced",
      count(complained_at)::integer as "totalComplained",
      count(opened_at)::integer as "totalOpened"
    from deliveries where campaign_id in (select id from campaigns where user_id = ${userId})`.execute(db)
  return rows[0]
}

describe('the statistics', () => {
  it('of somebody who has sent nothing are all zero, and no rate divides by it', async () => {
    const { browser } = await aUser(byMailbox)
    expect(await statsOf(browser)).toEqual(NOTHING)
  })

  it('put everybody into exactly one group, and equal what the deliveries say', async () => {
    const ann = await aUser(byRelay)
    relay.failNext({ stage: 'dot', does: 'drop' })
    const doubtful = await send(ann.browser, { recipients: ['doubt@example.test'] })
    await finished(ann.browser, doubtful.id)
    const some = await send(ann.browser, { recipients: [...recipients(6), ...strangers] })
    await finished(ann.browser, some.id)
    // Its only recipient waits for another try, and is then left alone.
    relay.failNext({ stage: 'rcpt', does: { code: 450, text: 'later' } })
    const later = await send(ann.browser, { recipients: ['later@example.test'] })
    await until(
      'the first try is over',
      async () => (await deliveries(ann.browser, later.id))[0]?.reason !== null,
    )
    // However long this machine takes for what follows.
    await byRelay.db
      .updateTable('deliveries')
      .set({ next_try_at: sql<Date>`now() + interval '1 hour'` })
      .where('campaign_id', '=', later.id)
      .execute()
    expect((await detail(ann.browser, later.id)).counts).toMatchObject({ queued: 1, inFlight: 0 })
    const waiting = await statsOf(ann.browser)
    expect(waiting).toMatchObject({
      total: 10,
      totalSent: 6,
      totalFailed: 2,
      totalPending: 1,
      totalUnconfirmed: 1,
    })
    expect(waiting).toMatchObject((await countDeliveries(byRelay, ann)) ?? {})
    expectToAddUp(waiting)
    await act(ann.browser, later.id, 'cancel')
    await finished(ann.browser, later.id)
    const over = await statsOf(ann.browser)
    // Nothing was sent to whom it was cancelled for.
    expect(over).toMatchObject({ total: 9, totalPending: 0, totalCancelled: 1, successRate: '75.0' })
    expect(over).toMatchObject((await countDeliveries(byRelay, ann)) ?? {})
    expectToAddUp(over)
  })

  it('count what became of the mail, and of how much', async () => {
    const ann = await aUser(byMailbox)
    const others = ['bounced+1@resend.dev', 'bounced+2@resend.dev', 'complained@resend.dev']
    const { id } = await send(ann.browser, { recipients: [...recipients(9), ...others] })
    await finished(ann.browser, id)
    await byMailbox.settled()
    await expect.poll(async () => (await statsOf(ann.browser)).totalDelivered).toBe(10)
    const stats = await statsOf(ann.browser)
    expect(stats).toMatchObject((await countDeliveries(byMailbox, ann)) ?? {})
    expect(stats).toMatchObject({
      totalSent: 12,
      totalBounced: 2,
      totalComplained: 1,
      successRate: '100.0',
      deliveryRate: '83.3',
      bounceRate: '16.7',
      spamRate: '8.3',
      openRate: '0.0',
    })
  })

  it('count openings also where nobody reports deliveries, of those who were mailed', async () => {
    const ann = await aUser(byMailbox)
    const reported = await send(ann.browser, { recipients: recipients(2) })
    const silent = await send(ann.browser, { recipients: recipients(8) })
    for (const { id } of [reported, silent]) await finished(ann.browser, id)
    await byMailbox.settled()
    await expect.poll(async () => (await statsOf(ann.browser)).totalDelivered).toBe(10)
    // As with a provider that was never told where to report to.
    await sql`update deliveries set delivered_at = null,
      opened_at = case when seq <= 4 then now() end where campaign_id = ${silent.id}`.execute(byMailbox.db)
    await sql`update runs set delivered = 0, opened = (select count(opened_at) from deliveries d
      where d.campaign_id = runs.campaign_id) where campaign_id = ${silent.id}`.execute(byMailbox.db)
    const stats = await statsOf(ann.browser)
    expect(stats).toMatchObject((await countDeliveries(byMailbox, ann)) ?? {})
    expect(stats.totalOpened).toBeGreaterThan(2)
    expect(stats.openRate).toBe((stats.totalOpened * 10).toFixed(1))
  })

  it('say that some deliveries were never reported, also after another provider was chosen', async () => {
    const { browser } = await aUser(byMailbox)
    const sendBy = async (settings: Record<string, unknown>): Promise<string> => {
      const sender = { fromName: 'Ann', fromEmail: 'ann@corp.test' }
      expect((await browser.post('/api/settings', { ...sender, ...settings })).status).toBe(200)
      const { id } = await send(browser, { recipients: recipients(2) })
      await finished(browser, id)
      return id
    }
    const relayPort = Number(relay.url.port)
    const isPresumed = async () => (await statsOf(browser)).isDeliveryPresumed
    const reported = await sendBy({ provider: 'resend' })
    await expect.poll(async () => (await statsOf(browser)).totalDelivered).toBe(2)
    expect(await isPresumed()).toBe(false)
    const presumed = await sendBy({ provider: 'smtp', smtpHost: 'localhost', smtpPort: relayPort })
    await sendBy({ provider: 'resend' })
    await expect.poll(async () => (await statsOf(browser)).totalDelivered).toBe(6)
    expect(await isPresumed()).toBe(true)
    expect(await detail(browser, presumed)).toMatchObject({ deliveredCount: 2, isDeliveryPresumed: true })
    expect(await detail(browser, reported)).toMatchObject({ deliveredCount: 2, isDeliveryPresumed: false })
    const deliveredAt = async (id: string) =>
      (await deliveries(browser, id)).map((delivery) => typeof delivery.deliveredAt)
    // Of a single person it is not said that it happened: null.
    expect(await deliveredAt(presumed)).toEqual(['object', 'object'])
    expect(await deliveredAt(reported)).toEqual(['string', 'string'])
  })

  it('of one user hold nothing of another', async () => {
    const { browser } = await aUser(byMailbox)
    const [eve] = await Promise.all([aUser(byMailbox), send(browser)])
    expect(await statsOf(eve.browser)).toEqual(NOTHING)
    expect((await activityOf(eve.browser)).map(({ sent }) => sent)).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  it('are never older than the request, however many ask', { tags: 'thorough' }, async () => {
    const { browser } = await aUser(byMailbox)
    for (let sent = 1; sent <= 10; sent++) {
      const early = Array.from({ length: 5 }, () => statsOf(browser))
      await send(browser)
      const answers = await Promise.all([1, 2, 3].map(() => statsOf(browser)))
      expect(answers.map(({ total }) => total)).toEqual([sent, sent, sent])
      await Promise.all(early)
    }
  })
})

describe('the activity', () => {
  it('shows what was sent on each of seven days, in the time zone of the person', async () => {
    await inOneDay()
    const ann = await aUser(byMailbox)
    const days = await activityOf(ann.browser)
    expect(days).toHaveLength(7)
    expect(days.at(-1)?.date).toBe(new Date().toISOString().slice(0, 10))
    const letters = [
      [`${days[6]?.date}T00:00:00Z`, 1],
      [`${days[4]?.date}T23:59:59.999Z`, 2],
      [`${days[0]?.date}T00:00:00Z`, 3],
      [new Date(Date.parse(`${days[0]?.date}T00:00:00Z`) - 1).toISOString(), 4],
    ] as const
    for (const [at, count] of letters) {
      const { id } = await send(ann.browser, { recipients: recipients(count) })
      await finished(ann.browser, id)
      await byMailbox.db
        .updateTable('runs')
        .set({ created_at: new Date(at) })
        .where('campaign_id', '=', id)
        .execute()
    }
    const shown = (await activityOf(ann.browser)).map(({ sent }) => sent)
    expect(shown).toEqual([3, 0, 0, 0, 2, 0, 1])
    expect(await activityOf(ann.browser, '?timeZone=UTC')).toEqual(await activityOf(ann.browser))
    // An hour and more to the east every one of these is on the next day, or still on its own.
    const east = await activityOf(ann.browser, '?timeZone=Etc/GMT-1')
    expect(east.find(({ date }) => date === days[5]?.date)?.sent).toBe(2)
    const west = await activityOf(ann.browser, '?timeZone=Etc/GMT%2B1')
    expect(west.find(({ date }) => date === days[5]?.date)?.sent).toBe(1)
  })

  it('counts only what a provider has taken', async () => {
    const ann = await aUser(byRelay)
    const { id } = await send(ann.browser, { recipients: [...recipients(2), ...strangers] })
    await finished(ann.browser, id)
    expect((await activityOf(ann.browser)).at(-1)?.sent).toBe(2)
  })

  it.each([
    'timeZone=',
    'timeZone=Europe/Nowhere',
    'timeZone=%00',
    "timeZone=UTC'%20or%201=1--",
    'timeZone=UTC&timeZone=UTC',
    `timeZone=${'x'.repeat(101)}`,
    'timeZone=%ED%A0%80',
    'days=7',
  ])('refuses %s in one sentence', async (query) => {
    const { browser } = await aUser(byMailbox)
    const answer = await browser.get(`/api/email-activity?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/^[A-Z].{10,}$/)
  })
})

it('both need a session', async () => {
  for (const path of ['/api/stats', '/api/email-activity'])
    expect((await byMailbox.browser().get(path)).status, path).toBe(401)
})
