import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import type { Campaign } from '../client.ts'
import { tally } from '../deliveries.ts'
import { eachParty } from '../each-party.ts'
import { IN_HAND, SETTLE_MS, secondsSince } from '../figures.ts'
import type { ProductKind } from '../ledger/protocol.ts'
import { OWN_KINDS, type OwnKind } from '../own-accounts.ts'
import { seeds, sized, timeLimit } from '../size.ts'
import { aStage, type Party } from '../stage.ts'

type Case = {
  ledger: ProductKind
  /** Three users with an account of their own share one worker, so that each of its kills meets all three. */
  own: readonly OwnKind[]
  kills: number
  /** One campaign that all kills meet, and a small one before each kill, so that none finds an idle worker. */
  large: number
  small: number
  /**
   * Long enough that the kill comes while the small campaign is under way (a call of HTTP takes all of it at once), and
   * short enough that what is left after the last kill can be sent within the time that is demanded.
   */
  delayMs: number
}

const SMALL = sized({ ci: 60, full: 150 })
const CASES: Record<string, Case> = {
  smtp: {
    ledger: 'smtp',
    own: [],
    kills: sized({ ci: 10, full: 40 }),
    large: sized({ ci: 400, full: 4_000 }),
    small: SMALL,
    delayMs: sized({ ci: 120, full: 25 }),
  },
  resend: {
    ledger: 'resend',
    own: [],
    kills: sized({ ci: 10, full: 40 }),
    large: sized({ ci: 400, full: 4_000 }),
    small: SMALL,
    delayMs: 500,
  },
  'accounts of users’ own': {
    ledger: 'resend',
    own: OWN_KINDS,
    kills: sized({ ci: 5, full: 40 }),
    large: sized({ ci: 1_200, full: 4_000 }),
    small: SMALL,
    delayMs: 500,
  },
}

describe.concurrent('R1 the worker is killed again and again', () => {
  for (const [name, playedCase] of Object.entries(CASES))
    for (const seed of seeds({ ci: 1, full: 5 }))
      it(
        `and nobody is mailed twice or left out (${name}, seed ${seed})`,
        () => play(playedCase, seed),
        timeLimit(600),
      )
})

async function play({ ledger, own, kills, large, small, delayMs }: Case, seed: number): Promise<void> {
  const chance = mulberry32(seed)
  await using stage = await aStage({ ledger, own })
  const { parties, worker } = stage
  const sent = new Map<Party['client'], Campaign[]>(parties.map(({ client }) => [client, []]))
  const send = (name: string, count: number) =>
    Promise.all(parties.map(async ({ client }) => sent.get(client)?.push(await client.send(name, count))))
  const accepted = async () => {
    const reports = await Promise.all(parties.map((party) => party.ledger.report()))
    return reports.reduce((sum, report) => sum + report.accepted, 0)
  }

  for (const party of parties) await party.ledger.behave({ delayMs, seed })
  await send('large', large)
  let killsAtWork = 0
  for (let kill = 1; kill <= kills; kill++) {
    const before = await accepted()
    await send(`small${kill}`, small)
    await sleep(between(chance, 250, 700))
    await worker.end('SIGKILL')
    if ((await accepted()) > before) killsAtWork++
    await worker.start()
  }
  const lastFault = performance.now()

  await eachParty(stage, `R1 seed ${seed}`, async (party, demands) => {
    const campaigns = sent.get(party.client) ?? []
    for (const { id } of campaigns) await party.client.settled(id, SETTLE_MS)
    demands.atMost('I5 settled after the last kill', SETTLE_MS / 1000, secondsSince(lastFault), 's')
    const deliveries = await audit(party, campaigns, demands, {
      unknown: IN_HAND[party.ledger.kind] * kills,
    })
    demands.note('unconfirmed for each kill', tally(deliveries).unknown / kills)
    demands.atLeast('kills that met a sending worker', kills / 2, killsAtWork)
  })
}
