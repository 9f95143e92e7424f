import { describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../providers/provider.ts'
import { aProvider } from '../test/a-provider.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, detail, finished, recipients, send } from '../test/campaigns.ts'
import { aStageWithCursed } from '../test/cursed-stage.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { startScriptedRelay } from '../test/simulators/smtp-script.ts'
import { until } from '../test/until.ts'
import { createHealth } from './health.ts'
import { createStumbles } from './stumbles.ts'

const isPaused = async ({ browser }: SignedIn, id: string): Promise<boolean> =>
  (await detail(browser, id)).state === 'paused'

/** Whoever waits for another try gets it now. */
const tryAgain = ({ db }: RunningApp) =>
  db.updateTable('deliveries').set({ next_try_at: new Date() }).where('next_try_at', 'is not', null).execute()

it.concurrent('a relay that is silent at one mail, and breaks down and comes back meanwhile, keeps nobody else waiting', {
  tags: 'thorough',
}, async () => {
  let cuts = 0
  let messages = 0
  const relay = await startScriptedRelay({
    MAIL({ socket }) {
      if (cuts === 0) return '250 sender'
      cuts -= 1
      socket.destroy()
      return null
    },
    '.': () => {
      messages += 1
      return messages === 1 ? null : '250 taken'
    },
  })
  await using running = await aRunningApp({ SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
  const { browser } = await aUser(running)
  const silent = await send(browser, { recipients: ['ann@example.test'] })
  await until('it waits for its answer', async () => messages === 1)
  cuts = 5
  const { id } = await send(browser, { recipients: recipients(30) })
  await until('all others are sent', async () => (await detail(browser, id)).counts.accepted === 30, 60_000)
  expect(cuts).toBe(0)
  expect((await detail(browser, silent.id)).counts).toMatchObject({ inFlight: 1, unknown: 0 })
  await relay.close()
  expect(await finished(browser, silent.id)).toMatchObject({ unconfirmedCount: 1 })
})

// Breakers wait, so these wait side by side.
describe.concurrent('where the relay hangs up whenever it hears of', () => {
  it('one person, the others of the campaign are sent, and the tries are counted like those of a refusal', async () => {
    await using stage = await aStageWithCursed()
    const user = await aUser(stage.running)
    const { browser } = user
    const { id } = await send(browser, { recipients: ['cursed@example.test', ...recipients(40)] })
    await until('all others are sent', async () => (await detail(browser, id)).counts.accepted === 40, 60_000)
    await until(
      'it is this mail that is not taken',
      async () => {
        await tryAgain(stage.running)
        const [cursed] = await deliveries(browser, id, '?state=queued')
        return (cursed?.attempts ?? 0) >= 4
      },
      60_000,
    )
    expect((await detail(browser, id)).counts).toMatchObject({ accepted: 40, failed: 0, unknown: 0 })
    expect(await isPaused(user, id), 'although nobody else was mailed since').toBe(false)
  })

  it('the first thirty of a list, those behind them do not wait for each of these', {
    tags: 'thorough',
  }, async () => {
    await using stage = await aStageWithCursed()
    const { browser } = await aUser(stage.running)
    const list = [...recipients(30, 'cursed'), ...recipients(70)]
    const { id } = await send(browser, { recipients: list })
    const accepted = async () => (await detail(browser, id)).counts.accepted
    await until('all others are sent', async () => (await accepted()) === 70, 180_000)
  })

  it('one campaign, another user waits for a probe and not for that campaign', {
    tags: 'thorough',
  }, async () => {
    await using stage = await aStageWithCursed()
    const cursed = await aUser(stage.running)
    const { id } = await send(cursed.browser, { recipients: recipients(50, 'cursed') })
    await until('the outage shows', () => isPaused(cursed, id))
    const { browser } = await aUser(stage.running)
    const other = await send(browser, { recipients: ['ann@example.test'] })
    const done = await finished(browser, other.id, 40_000)
    expect(done.counts).toMatchObject({ accepted: 1 })
    expect((await detail(cursed.browser, id)).counts).toMatchObject({ accepted: 0, failed: 0, unknown: 0 })
  })

  it('the newest campaign of a user, an older one that is resumed is sent all the same', {
    tags: 'thorough',
  }, async () => {
    await using stage = await aStageWithCursed()
    const user = await aUser(stage.running)
    const { id } = await send(user.browser, { recipients: recipients(50, 'cursed') })
    await until('the outage shows', () => isPaused(user, id))
    const older = await send(user.browser, { recipients: ['ann@example.test'] })
    await stage.running.db
      .updateTable('runs')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .where('campaign_id', '=', older.id)
      .execute()
    const done = await finished(user.browser, older.id, 40_000)
    expect(done.counts).toMatchObject({ accepted: 1 })
    expect((await detail(user.browser, id)).counts).toMatchObject({ accepted: 0, failed: 0, unknown: 0 })
  })
})

describe('a provider that stumbles', () => {
  const ACCEPTED: Outcome = { kind: 'accepted', id: '1' }
  const STUMBLED: Outcome = {
    kind: 'try-later',
    reason: 'it hung up',
    afterMs: null,
    about: 'account',
    isAmidMail: true,
  }
  const UNREACHABLE: Outcome = { ...STUMBLED, isAmidMail: false }

  /** Tells whom a stumble at mail `seq` was about. */
  function aProviderThat() {
    const health = createHealth({
      account: 'a',
      provider: aProvider({}),
      needs: {
        holdAccount: async () => {},
        clearOutage: async () => {},
        troubled: (error) => {
          throw error
        },
      },
      wake: () => {},
      signal: new AbortController().signal,
    })
    const stumbles = createStumbles(health)
    return {
      health,
      meets(seq: number, outcome: Outcome, attempts = 0): string {
        const delivery = {
          seq,
          address: 'a@x.test',
          name: '',
          attempts,
          callSeq: null,
          callSize: null,
          inFlightMs: 0,
          wasTurnedBack: false,
        }
        const [judged] = stumbles.weigh('c', [delivery], [outcome]).outcomes
        return judged && 'about' in judged ? judged.about : (judged?.kind ?? '')
      },
    }
  }

  it('at many mails is to blame itself, however often it takes one in between', () => {
    const { meets, health } = aProviderThat()
    const mails = [1, 2, 3, 4]
    for (const seq of mails) expect(meets(seq, STUMBLED)).toBe('account')
    for (let round = 0; round < 5; round++) {
      meets(99, ACCEPTED)
      // The first after an answer may be alone with it; then the next one shows that it is not.
      expect(mails.map((seq) => meets(seq, STUMBLED)).slice(1)).toEqual(['account', 'account', 'account'])
    }
    expect(health.isHeld()).toBe(false)
    for (const seq of [5, 6, 7, 8, 9]) meets(seq, STUMBLED)
    expect(health.isHeld(), 'and is found out of order').toBe(true)
  })

  it('at one mail again after it took others cannot take that mail, and is not out of order by it', () => {
    const { meets, health } = aProviderThat()
    expect(meets(1, STUMBLED)).toBe('account')
    meets(2, ACCEPTED)
    expect(meets(1, STUMBLED)).toBe('mail')
    for (let time = 1; time < 20; time++) expect(meets(1, STUMBLED, time)).toBe('mail')
    expect(health.isHeld()).toBe(false)
  })

  it('at a mail that it has refused as such before is not out of order by it, whatever happened in between', () => {
    const { meets, health } = aProviderThat()
    for (let time = 0; time < 10; time++) expect(meets(1, STUMBLED, 1)).toBe('mail')
    expect(health.isHeld()).toBe(false)
  })

  it('at two mails alone, whenever it is asked and says that it is back, costs them a try in the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { meets } = aProviderThat()
      for (let time = 0; time < 5; time++) expect(meets(1 + (time % 2), STUMBLED)).toBe('account')
      const verdicts: string[] = []
      for (let probe = 0; probe < 10; probe++) {
        await vi.advanceTimersByTimeAsync(60_000)
        verdicts.push(meets(1 + (probe % 2), STUMBLED))
      }
      expect(verdicts).toEqual([...Array.from({ length: 8 }, () => 'account'), 'mail', 'mail'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('before any mail is to blame itself each time', () => {
    const { meets, health } = aProviderThat()
    for (let time = 0; time < 4; time++) {
      expect(meets(1, UNREACHABLE, time)).toBe('account')
      meets(2, ACCEPTED)
    }
    for (let time = 0; time < 5; time++) expect(meets(1, UNREACHABLE, 1)).toBe('account')
    expect(health.isHeld()).toBe(true)
  })
})
