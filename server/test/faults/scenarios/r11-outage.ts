import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS, secondsSince } from '../figures.ts'
import type { LedgerKind } from '../ledger/ledger.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

/** Half of it refused connections, half of it a provider that answers only that it is out of order. */
const SECONDS = sized({ ci: 13, full: 120, long: 600 })
const RECIPIENTS = sized({ ci: 500, full: 3_000 })
/** The doubtful answers after which calls stop. */
const TRIP = 5
const KINDS: Record<LedgerKind, number> = { smtp: IN_HAND_BY_SMTP + TRIP, resend: 0 }

describe.concurrent('R11 the provider is down', () => {
  for (const kind of ['smtp', 'resend'] as const)
    it(`and the campaign waits, says why, and goes on by itself (${kind})`, () => play(kind), timeLimit(900))
})

async function play(kind: LedgerKind): Promise<void> {
  const demands = demandsOf(`R11 ${kind}`)
  await using stage = await aStage({ ledger: kind, together: true })
  const { ledger, client } = stage
  await ledger.behave({ delayMs: 50 })
  const campaign = await client.send('outage', RECIPIENTS)
  const flowing = (await ledger.report()).accepted
  await until('mail flows', async () => (await ledger.report()).accepted > flowing)

  await ledger.behave({ state: 'down' })
  const down = performance.now()
  let reason: string | null = null
  await until('the campaign says why', async () => {
    const detail = await client.look(campaign.id)
    if (detail?.state === 'paused') reason = detail.pausedReason
    return reason !== null
  })
  demands.atMost('the reason is shown', 10, secondsSince(down), 's')
  demands.note('the reason', reason ?? '')
  await sleep(Math.max(0, (SECONDS / 2 - secondsSince(down)) * 1000))
  await ledger.behave({ state: 'failing' })
  await sleep((SECONDS / 2) * 1000)
  demands.exactly('failed meanwhile', 0, (await client.look(campaign.id))?.counts.failed ?? -1)

  const { accepted } = await ledger.report()
  await ledger.behave({ state: 'up' })
  const up = performance.now()
  await until('mail flows again', async () => (await ledger.report()).accepted > accepted, SETTLE_MS + 30_000)
  demands.atMost('resumed', 60, secondsSince(up), 's')
  await client.settled(campaign.id, SETTLE_MS)
  demands.exactly('paused at the end', 'done', (await client.look(campaign.id))?.state ?? '')
  await audit(stage, [campaign], demands, { unknown: KINDS[kind] })
  demands.hold()
}
