import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { freePort } from '../test/free-port.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

// Waits are what takes time here, so the tests wait side by side.
describe.concurrent('a relay', () => {
  async function aRelay() {
    // It comes back there.
    const relay = await startSmtpSimulator({ port: await freePort() })
    const running = await aRunningApp({ SMTP_URL: relay.url.href })
    const { browser } = await aUser(running)
    return {
      relay,
      running,
      browser,
      async [Symbol.asyncDispose]() {
        await expectCountsToAddUp(running.db)
        await running[Symbol.asyncDispose]()
        await relay.close()
      },
    }
  }
  const header = (mail: { headers: [string, string][] } | undefined, name: string) =>
    mail?.headers.find(([one]) => one.toLowerCase() === name)?.[1]

  it('that refuses a recipient for now gets the mail again after about five seconds', async () => {
    await using stage = await aRelay()
    const { relay, browser, running } = stage
    relay.failNext({ stage: 'rcpt', does: { code: 451, text: 'Greylisted, come back' } })
    const { id } = await send(browser, { recipients: ['ann@example.test'] })
    // The next try waits until all has been looked at, however long this machine takes.
    let waiting: { in_flight_at: Date; next_try_at: Date } | undefined
    await until('the first try is over', async () => {
      const { rows } = await sql<{ in_flight_at: Date; next_try_at: Date }>`
        update deliveries set next_try_at = next_try_at + interval '1 hour'
        where campaign_id = ${id} and state = 'q' and reason is not null
        returning in_flight_at, next_try_at - interval '1 hour' as next_try_at`.execute(running.db)
      waiting = rows[0]
      return waiting !== undefined
    })
    const seenAt = Date.now()
    expect(await deliveries(browser, id)).toMatchObject([
      { state: 'queued', attempts: 1, reason: expect.stringContaining('Greylisted, come back') },
    ])
    expect(await detail(browser, id)).toMatchObject({ status: 'pending', state: 'sending' })
    // The try was over at some time between the two.
    expect(Number(waiting?.next_try_at) - Number(waiting?.in_flight_at)).toBeGreaterThanOrEqual(4_000)
    expect(Number(waiting?.next_try_at) - seenAt).toBeLessThanOrEqual(6_000)
    expect(relay.ledger).toEqual([])
    await running.db.updateTable('deliveries').set({ next_try_at: new Date() }).execute()
    const done = await finished(browser, id)
    expect(done).toMatchObject({ status: 'sent', state: 'done', successfulCount: 1 })
    expect(await deliveries(browser, id)).toMatchObject([{ state: 'accepted', attempts: 2, reason: null }])
    expect(relay.ledger.map(({ to }) => to)).toEqual([['ann@example.test']])
  })

  it('that refuses for good ends the delivery with its own words, and only that one', async () => {
    await using stage = await aRelay()
    const { relay, browser } = stage
    relay.failNext({ stage: 'rcpt', does: { code: 550, text: 'Nobody of that name lives here' } })
    const { id } = await send(browser, { recipients: recipients(30) })
    const done = await finished(browser, id)
    expect(done).toMatchObject({ status: 'sent', successfulCount: 29 })
    expect(done.counts).toMatchObject({ accepted: 29, failed: 1, unknown: 0 })
    const [failed] = await deliveries(browser, id, '?state=failed')
    expect(failed?.reason).toContain('Nobody of that name lives here')
    expect(failed).toMatchObject({ acceptedAt: null, attempts: 1 })
    expect(relay.ledger.flatMap(({ to }) => to)).not.toContain(failed?.address)
    expect(relay.ledger).toHaveLength(29)
  })

  it.for([{ afterAccepting: true }, { afterAccepting: false }])(
    'that drops the line at the dot leaves the mail unknown, and it is never sent again by itself (%o)',
    async ({ afterAccepting }) => {
      await using stage = await aRelay()
      const { relay, browser, running } = stage
      relay.failNext({ stage: 'dot', does: 'drop', afterAccepting })
      const { id } = await send(browser, { recipients: ['ann@example.test'] })
      const done = await finished(browser, id)
      expect(done).toMatchObject({ status: 'sent', state: 'done', successfulCount: 0, unconfirmedCount: 1 })
      expect(done.counts).toMatchObject({ failed: 0, unknown: 1 })
      expect(await deliveries(browser, id, '?state=unknown')).toMatchObject([
        { address: 'ann@example.test', attempts: 1, reason: expect.stringMatching(/\w/) },
      ])
      // Nothing is left that could send it: no open campaign, no time to try again, no job.
      await running.settled()
      expect(await running.db.selectFrom('runs').select('is_open').execute()).toEqual([{ is_open: false }])
      expect(await running.db.selectFrom('deliveries').select('next_try_at').execute()).toEqual([
        { next_try_at: null },
      ])
      await until('the window is given back', async () => {
        const windows = await running.db.selectFrom('delivery_windows').selectAll().execute()
        return windows.length === 0
      })
      expect(relay.ledger).toHaveLength(afterAccepting ? 1 : 0)
    },
  )

  it('sees the same Message-ID on every try', async () => {
    await using stage = await aRelay()
    const { relay, browser } = stage
    // It lies: the mail is taken, and the answer is no.
    relay.failNext({ stage: 'dot', does: { code: 451, text: 'Try again' }, afterAccepting: true })
    const { id } = await send(browser, { recipients: ['ann@example.test'] })
    await finished(browser, id)
    expect(relay.ledger).toHaveLength(2)
    const [first, second] = relay.ledger.map((mail) => header(mail, 'message-id'))
    expect(second).toBe(first)
    const [delivery] = await deliveries(browser, id)
    expect(delivery?.messageId).toBe(first)
  })

  it('that is away pauses the campaign with a reason, fails nobody, and is called again by itself once it is back', {
    tags: 'thorough',
  }, async () => {
    await using stage = await aRelay()
    const { relay, browser } = stage
    await relay.close()
    const { id } = await send(browser, { recipients: recipients(40) })
    await until('the outage shows', async () => (await detail(browser, id)).state === 'paused')
    const paused = await detail(browser, id)
    expect(paused).toMatchObject({
      status: 'pending',
      pausedReason: expect.stringContaining('SMTP relay'),
      resumesItself: true,
    })
    expect(paused.counts).toMatchObject({ accepted: 0, failed: 0, unknown: 0 })
    const back = await startSmtpSimulator({ port: Number(relay.url.port) })
    try {
      const done = await finished(browser, id, 40_000)
      expect(done).toMatchObject({ status: 'sent', state: 'done', pausedReason: null, resumesItself: false })
      expect(done.counts).toMatchObject({ accepted: 40, failed: 0, unknown: 0 })
      expect(new Set(back.ledger.flatMap(({ to }) => to))).toEqual(new Set(recipients(40)))
      expect(back.ledger).toHaveLength(40)
      // Being away was no try of the mail.
      expect((await deliveries(browser, id)).every(({ attempts }) => attempts === 1)).toBe(true)
    } finally {
      await back.close()
    }
  })
})
