import { describe, expect, it } from 'vitest'
import { aUser } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { createGate } from '../test/gate.ts'
import { aRunningApp } from '../test/running-app.ts'
import { type ResendFault, startResendSimulator } from '../test/simulators/resend.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { until } from '../test/until.ts'

const failing = (when: 'before' | 'after'): ResendFault => ({
  kind: 'answer',
  status: 500,
  name: 'application_error',
  message: 'Something broke',
  when,
})

const turnedAway: ResendFault = {
  kind: 'answer',
  status: 403,
  name: 'validation_error',
  message: 'You may not send this mail',
  when: 'before',
}

async function aResend() {
  const resend = await startResendSimulator()
  const running = await aRunningApp({ RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href })
  const { browser } = await aUser(running)
  return {
    resend,
    running,
    browser,
    /** Everyone who got a mail, as often as they got one. */
    reached: () => resend.ledger.flatMap(({ mail }) => mail.to).sort(),
    async [Symbol.asyncDispose]() {
      await expectCountsToAddUp(running.db)
      await running[Symbol.asyncDispose]()
      await resend.close()
    },
  }
}

// Waits are what takes time here, so the tests wait side by side.
describe.concurrent('Resend', () => {
  for (const [what, lie, tags] of [
    ['takes the mails and answers 500', failing('after'), ['thorough']],
    ['takes the mails and cuts the line', { kind: 'reset', when: 'after' }, []],
    ['answers 500 and has not taken them', failing('before'), ['thorough']],
    ['cuts the line and has not taken them', { kind: 'reset', when: 'before' }, ['thorough']],
  ] satisfies [string, ResendFault, string[]][])
    it(`${what}: the same call is made again until it is settled, and each gets one mail`, {
      tags,
    }, async () => {
      await using stage = await aResend()
      const { resend, browser, reached } = stage
      resend.lieNext(lie)
      const { id } = await send(browser, { recipients: recipients(60) })
      const done = await finished(browser, id, 40_000)
      expect(done.counts).toMatchObject({ accepted: 60, failed: 0, unknown: 0 })
      expect(reached()).toEqual(recipients(60).sort())
      expect(resend.calls).toHaveLength(2)
      expect(new Set(resend.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
      expect(new Set(resend.calls.map(({ body }) => body)).size).toBe(1)
    })

  const LONG = 'A long letter. '.repeat(6_000)

  it('is asked about fewer at once where the letter is long, and again about the same ones', {
    tags: 'thorough',
  }, async () => {
    await using stage = await aResend()
    const { resend, browser, reached } = stage
    resend.lieNext(null, failing('after'))
    const { id } = await send(browser, { recipients: recipients(60), body: LONG })
    const done = await finished(browser, id, 40_000)
    expect(done.counts).toMatchObject({ accepted: 60, failed: 0, unknown: 0 })
    expect(reached()).toEqual(recipients(60).sort())
    const keys = resend.calls.map(({ idempotencyKey }) => idempotencyKey)
    expect(keys).toHaveLength(3)
    expect(keys.filter((key) => key === keys[1])).toHaveLength(2)
  })

  it('that took a long letter and then turns some of its readers away never makes it look failed', async () => {
    await using stage = await aResend()
    const { resend, browser, reached } = stage
    resend.lieNext(failing('after'), failing('after'), null, turnedAway)
    const { id } = await send(browser, { recipients: recipients(60), body: LONG })
    const { counts } = await finished(browser, id, 40_000)
    expect(reached()).toEqual(recipients(60).sort())
    expect(counts.failed).toBe(0)
    expect(counts.accepted).toBeGreaterThan(0)
    expect(counts.unknown).toBe(60 - counts.accepted)
  })

  it('names a single mail by its own key on every try', { tags: 'thorough' }, async () => {
    await using stage = await aResend()
    const { resend, browser } = stage
    resend.lieNext(failing('after'))
    const { id } = await send(browser, { recipients: ['ann@example.test'] })
    expect((await finished(browser, id, 40_000)).counts).toMatchObject({ accepted: 1, unknown: 0 })
    const [delivery] = await deliveries(browser, id)
    const tag = delivery?.messageId.match(/^<(.+)@/)?.[1]
    expect(resend.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      `delivery/${tag}`,
      `delivery/${tag}`,
    ])
    expect(resend.ledger).toHaveLength(1)
    expect(resend.ledger[0]?.mail.tags).toEqual([{ name: 'mid', value: tag }])
  })

  it('that took a mail and then no longer lets us send never makes it look failed', {
    tags: 'thorough',
  }, async () => {
    await using stage = await aResend()
    const { resend, browser } = stage
    resend.lieNext(failing('after'), turnedAway)
    const { id } = await send(browser, { recipients: ['ann@example.test'] })
    const done = await finished(browser, id, 40_000)
    expect(resend.ledger).toHaveLength(1)
    expect(done).toMatchObject({ status: 'sent', unconfirmedCount: 1 })
    expect(done.counts).toMatchObject({ failed: 0, unknown: 1 })
  })

  it('that asks to wait is not called before the time is over, and nobody loses a try', async () => {
    await using stage = await aResend()
    const { resend, browser, running } = stage
    const calledAt: number[] = []
    const gate = createGate()
    gate.shut()
    let toldAt = 0
    resend.lieBy((call) => {
      calledAt.push(Date.now())
      if (call !== 2) return { kind: 'held', until: gate.pass() }
      toldAt = Date.now()
      return { kind: 'rate-limit', retryAfter: 1 }
    })
    const { id } = await send(browser, { recipients: recipients(1_200) })
    await until('it is heard', async () => {
      const holds = await running.db.selectFrom('account_holds').select('asked_until').execute()
      return holds.some(({ asked_until }) => asked_until !== null)
    })
    // Calls that began before the answer was heard cannot know of it; of those there are a few, and more to come.
    await until('they have arrived', async () => {
      const begun = await running.db.selectFrom('deliveries').select('seq').where('state', '=', 'i').execute()
      return begun.length === (calledAt.length - 1) * 100
    })
    const unknowing = calledAt.length
    gate.open()
    const done = await finished(browser, id)
    expect(done.counts).toMatchObject({ accepted: 1_200, failed: 0, unknown: 0 })
    expect(done).toMatchObject({ state: 'done', pausedReason: null })
    const after = calledAt.slice(unknowing)
    expect(after.length).toBeGreaterThan(0)
    expect(Math.min(...after) - toldAt).toBeGreaterThanOrEqual(1_000)
    expect((await deliveries(browser, id)).every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it('that is out of order for all pauses the campaign, fails nobody, and goes on by itself', async () => {
    await using stage = await aResend()
    const { resend, browser, reached } = stage
    const calledAt: number[] = []
    resend.lieBy(() => {
      calledAt.push(performance.now())
      return failing('before')
    })
    const { id } = await send(browser, { recipients: recipients(800) })
    await until('the outage shows', async () => (await detail(browser, id)).state === 'paused')
    const paused = await detail(browser, id)
    expect(paused).toMatchObject({
      status: 'pending',
      pausedReason: expect.stringContaining('Something broke'),
    })
    expect(paused.counts).toMatchObject({ accepted: 0, failed: 0, unknown: 0 })
    // Five doubts in a row, and what was under way beside them; five seconds later it is tried whether it is back.
    const probe = calledAt.findIndex((at, call) => at - (calledAt[call - 1] ?? at) > 4_000)
    expect(probe === -1 ? calledAt.length : probe).toBeLessThanOrEqual(5 + 4)
    resend.lieBy(() => null)
    const done = await finished(browser, id, 40_000)
    expect(done.counts).toMatchObject({ accepted: 800, failed: 0, unknown: 0 })
    expect(reached()).toEqual(recipients(800).sort())
  })
})
