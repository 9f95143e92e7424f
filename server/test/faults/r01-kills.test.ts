import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { audit, type Campaign } from './auditor.ts'
import { between, mulberry32 } from './chance.ts'
import { addresses } from './client.ts'
import { tally } from './deliveries.ts'
import { demandsOf } from './demands.ts'
import type { LedgerKind } from './ledger/ledger.ts'
import { seeds, sized, timeLimit } from './size.ts'
import { aStage } from './stage.ts'

const KILLS = sized({ ci: 10, full: 40 })
/** One campaign that all kills meet, and a small one before each kill, so that none finds an idle worker. */
const LARGE = sized({ ci: 400, full: 4_000 })
const SMALL = sized({ ci: 60, full: 150 })
/** Long enough that the kill comes while the small campaign is under way. */
const DELAY_MS = 120
const SETTLE_MS = 60_000
/** What a worker may have under way: by SMTP a look-ahead of 256 beside 20 calls; Resend takes a repetition for what it is. */
const C: Record<LedgerKind, number> = { smtp: 276, resend: 0 }

describe.concurrent('R1 the worker is killed again and again', () => {
  for (const kind of ['smtp', 'resend'] as const)
    for (const seed of seeds({ ci: 1, full: 5 }))
      it(
        `and nobody is mailed twice or left out (${kind}, seed ${seed})`,
        () => play(kind, seed),
        timeLimit(240),
      )
})

async function play(kind: LedgerKind, seed: number): Promise<void> {
  const demands = demandsOf(`R1 ${kind} seed ${seed}`)
  const chance = mulberry32(seed)
  await using stage = await aStage({ ledger: kind })
  const { ledger, client, worker } = stage
  await ledger.behave({ delayMs: DELAY_MS, seed })
  const campaigns: Campaign[] = []
  const send = async (name: string, count: number) => {
    const recipients = addresses(name, count)
    campaigns.push({ id: (await client.send(recipients)).id, recipients })
  }

  await send('large', LARGE)
  let killsAtWork = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = (await ledger.report()).accepted
    await send(`small${kill}`, SMALL)
    await sleep(between(chance, 250, 700))
    await worker.end('SIGKILL')
    if ((await ledger.report()).accepted > before) killsAtWork++
    await worker.start()
  }
  const lastFault = performance.now()
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)
  demands.atMost(
    'I5 settled after the last kill',
    SETTLE_MS / 1000,
    (performance.now() - lastFault) / 1000,
    's',
  )

  const deliveries = await audit(stage, campaigns, demands, { unknown: C[kind] * KILLS })
  demands.note('unconfirmed for each kill', tally(deliveries).unknown / KILLS)
  demands.atLeast('kills that met a sending worker', KILLS / 2, killsAtWork)
  demands.hold()
}
