import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { demandsOf } from '../demands.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const RECIPIENTS = sized({ ci: 1_000, full: 5_000 })
const RETRY_AFTER: [number, number] = sized({ ci: [1, 2], full: [1, 10] })
/** A call that was on its way when the refusal went out. */
const ON_THE_WIRE_MS = 250

describe.concurrent('R9 the provider asks to wait', () => {
  it('and is not called before the time is over, and everybody gets one mail', play, timeLimit(400))
})

async function play(): Promise<void> {
  const demands = demandsOf('R9')
  await using stage = await aStage({ ledger: 'resend', together: true })
  const { ledger, client } = stage
  await ledger.behave({ lies: { 'rate-limit': 0.3 }, retryAfter: RETRY_AFTER, seed: 38 })
  const campaign = await client.send('limited', RECIPIENTS)
  await client.settled(campaign.id, sized({ ci: 60_000, full: 360_000 }))

  const calls = (await ledger.entries()).filter((entry) => entry.kind === 'call')
  const holds = calls.flatMap(({ at, retryAfter }) =>
    retryAfter === null ? [] : [{ from: at, until: at + retryAfter * 1000 }],
  )
  const early = calls.flatMap(({ startedAt }) =>
    holds
      .filter(({ from, until }) => startedAt > from + ON_THE_WIRE_MS && startedAt < until)
      .map(({ from, until }) => `${startedAt - from} ms after it was asked to wait ${until - from} ms`),
  )
  const resumedAfter = holds.map(({ until }) => {
    const next = calls.find(({ startedAt }) => startedAt >= until)
    return next ? (next.startedAt - until) / 1000 : 0
  })
  demands.atLeast('refusals', 2, holds.length)
  demands.none('calls before the time was over', early)
  demands.atMost('slowest return', 5, Math.max(0, ...resumedAfter), 's')
  await audit(stage, [campaign], demands, { unknown: 0 })
  demands.hold()
}
