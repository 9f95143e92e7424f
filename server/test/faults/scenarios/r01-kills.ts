import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import { tally } from '../deliveries.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS, secondsSince } from '../figures.ts'
import type { LedgerKind } from '../ledger/ledger.ts'
import { seeds, sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const KILLS = sized({ ci: 10, full: 40 })
/** One campaign that all kills meet, and a small one before each kill, so that none finds an idle worker. */
const LARGE = sized({ ci: 400, full: 4_000 })
const SMALL = sized({ ci: 60, full: 150 })
/**
 * Long enough that the kill comes while the small campaign is under way (a call of Resend's takes all of it at once), and
 * short enough that what is left after the last kill can be sent within the time that is demanded.
 */
const DELAY_MS: Record<LedgerKind, number> = { smtp: sized({ ci: 120, full: 25 }), resend: 500 }
/** Resend takes a repetition for what it is. */
const C: Record<LedgerKind, number> = { smtp: IN_HAND_BY_SMTP, resend: 0 }

describe.concurrent('R1 the worker is killed again and again', () => {
  for (const kind of ['smtp', 'resend'] as const)
    for (const seed of seeds({ ci: 1, full: 5 }))
      it(
        `and nobody is mailed twice or left out (${kind}, seed ${seed})`,
        () => play(kind, seed),
        timeLimit(600),
      )
})

async function play(kind: LedgerKind, seed: number): Promise<void> {
  const demands = demandsOf(`R1 ${kind} seed ${seed}`)
  const chance = mulberry32(seed)
  await using stage = await aStage({ ledger: kind })
  const { ledger, client, worker } = stage
  await ledger.behave({ delayMs: DELAY_MS[kind], seed })
  const campaigns = [await client.send('large', LARGE)]
  let killsAtWork = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = (await ledger.report()).accepted
    campaigns.push(await client.send(`small${kill}`, SMALL))
    await sleep(between(chance, 250, 700))
    await worker.end('SIGKILL')
    if ((await ledger.report()).accepted > before) killsAtWork++
    await worker.start()
  }
  const lastFault = performance.now()
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)
  demands.atMost('I5 settled after the last kill', SETTLE_MS / 1000, secondsSince(lastFault), 's')

  const deliveries = await audit(stage, campaigns, demands, { unknown: C[kind] * KILLS })
  demands.note('unconfirmed for each kill', tally(deliveries).unknown / KILLS)
  demands.atLeast('kills that met a sending worker', KILLS / 2, killsAtWork)
  demands.hold()
}
