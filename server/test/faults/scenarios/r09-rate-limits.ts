import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { BY_HTTP } from '../casts.ts'
import type { Demands } from '../demands.ts'
import { eachParty, type Scene } from '../each-party.ts'
import { MAILS_A_CALL, wallTime } from '../figures.ts'
import { playWith } from '../http-stage.ts'
import { sized, timeLimit } from '../size.ts'

/** Campaigns, each of which is one call. */
const CALLS = sized({ ci: 12, full: 100 })
const RETRY_AFTER: [number, number] = sized({ ci: [1, 2], full: [1, 10] })
/** A call that was on its way when the refusal went out, between processes that have their turn at once. */
const ON_THE_WIRE_MS = 250
const LISTEN_MS = 20
/** So soon after the time is over it is called again. */
const RETURN_MS = 5_000

describe.concurrent('R9 the provider asks to wait', () => {
  for (const [name, cast] of Object.entries(BY_HTTP))
    it(
      `and is not called before the time is over, and everybody gets one mail (${name})`,
      () =>
        playWith(cast, async (stage) => {
          await using postrider = listenTo(() => stage.client.call('GET', '/healthz'))
          await eachParty(stage, 'R9', (party, demands) => play(party, postrider, demands))
        }),
      timeLimit(600),
    )
})

async function play(party: Scene, postrider: Listener, demands: Demands): Promise<void> {
  const { ledger, client } = party
  await ledger.behave({ lies: { 'rate-limit': 0.3 }, retryAfter: RETRY_AFTER, seed: 38 })
  await using provider = listenTo(() => ledger.report())
  const earlier = (await ledger.entries()).length
  const campaigns = await client.sendMany('limited', CALLS, MAILS_A_CALL)
  for (const { id } of campaigns) await client.settled(id, sized({ ci: 60_000, full: 500_000 }))
  // Both sides hear of anything so late.
  const lateMs = (await postrider.slowestMs()) + (await provider.slowestMs())

  const entries = (await ledger.entries()).slice(earlier)
  const calls = entries.filter((entry) => entry.kind === 'call').filter(({ isSending }) => isSending)
  const holds = calls.flatMap(({ startedAt, at, retryAfter }) =>
    retryAfter === null ? [] : [{ startedAt, from: at, until: at + retryAfter * 1000 }],
  )
  const early = calls.flatMap(({ startedAt }) =>
    holds
      .filter(({ from, until }) => startedAt > from + ON_THE_WIRE_MS + lateMs && startedAt < until)
      .map(({ from, until }) => `${startedAt - from} ms after it was asked to wait ${until - from} ms`),
  )
  // Calls that are made at the same time ask for different times: it goes on when the last of these is over, also of
  // one that a busy provider refuses only after the time of another is over.
  const ends = holds.filter(
    ({ until }) => !holds.some((other) => other.startedAt <= until && other.until > until),
  )
  const returns = ends.map(({ from, until }) => {
    const toCome = calls.filter(({ startedAt }) => startedAt >= until)
    const afterMs = toCome.length > 0 ? Math.min(...toCome.map(({ startedAt }) => startedAt)) - until : 0
    return { afterMs, told: `${afterMs} ms after a wait of ${until - from}, ${toCome.length} calls to come` }
  })
  demands.atLeast('refusals', 2, holds.length)
  demands.none('calls before the time was over', early)
  demands.note('heard late, at most', lateMs, 'ms')
  demands.note('slowest return', Math.max(0, ...returns.map(({ afterMs }) => afterMs)) / 1000, 's')
  demands.none(
    'returns after more than 5 s',
    returns.filter(({ afterMs }) => afterMs > RETURN_MS).map(({ told }) => told),
  )
  await audit(party, campaigns, demands, { unknown: 0 })
}

type Listener = AsyncDisposable & {
  /** The slowest answer so far, that to the question which is being asked included. */
  slowestMs: () => Promise<number>
}

/** Asks again and again until it is disposed of. */
function listenTo(ask: () => Promise<unknown>): Listener {
  let slowest = 0
  let isOver = false
  let asking = Promise.resolve(0)

  async function listen(): Promise<void> {
    while (!isOver) {
      asking = wallTime(ask)
      slowest = Math.max(slowest, await asking)
      await sleep(LISTEN_MS)
    }
  }
  const listening = listen()
  return {
    slowestMs: async () => Math.max(await asking, slowest),
    async [Symbol.asyncDispose]() {
      isOver = true
      await listening
    },
  }
}
