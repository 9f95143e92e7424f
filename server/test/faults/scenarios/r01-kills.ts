import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { AHEAD_MAX } from '../../../delivery/pace.ts'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import type { Campaign, Client } from '../client.ts'
import { tally } from '../deliveries.ts'
import { eachParty } from '../each-party.ts'
import { IN_HAND, MAILS_A_CALL, SETTLE_MS, secondsSince } from '../figures.ts'
import type { ProductKind } from '../ledger/protocol.ts'
import { OWN_KINDS, type OwnKind } from '../own-accounts.ts'
import { SIZE, seeds, sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

type Case = {
  ledger: ProductKind
  /** Three users with an account of their own share one worker, so that each of its kills meets all three. */
  own: readonly OwnKind[]
  kills: number
  /** What all kills meet, and a small campaign before each kill, so that none finds an idle worker. */
  first: (client: Client) => Promise<Campaign[]>
  small: number
  /**
   * Long enough that the kill comes while the small campaign is under way (a call of HTTP takes all of it at once), and
   * short enough that what is left after the last kill can be sent within the time that is demanded.
   */
  delayMs: number
}

const large = async (client: Client) => [await client.send('large', sized({ ci: 400, full: 4_000 }))]
const SMALL = sized({ ci: 60, full: 150 })
const CASES: Record<string, Case> = {
  smtp: {
    ledger: 'smtp',
    own: [],
    kills: sized({ ci: 10, full: 40 }),
    first: large,
    small: SMALL,
    delayMs: sized({ ci: 120, full: 25 }),
  },
  resend: {
    ledger: 'resend',
    own: [],
    kills: sized({ ci: 10, full: 40 }),
    first: large,
    small: SMALL,
    delayMs: 500,
  },
  'accounts of users’ own': {
    ledger: 'resend',
    own: OWN_KINDS,
    kills: sized({ ci: 4, full: 40 }),
    // A call carries one letter: a large campaign makes large calls, many small ones make many.
    first: async (client) => [
      await client.send('large', sized({ ci: 1_200, full: 4_000 })),
      ...(await client.sendMany('many', sized({ ci: 20, full: 60 }), MAILS_A_CALL)),
    ],
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

describe.skipIf(SIZE === 'ci')('R1 the worker is killed while many small campaigns wait', () => {
  it('and hardly anybody is in doubt who was in no call', waiting, timeLimit(120))
})

async function waiting(): Promise<void> {
  await using stage = await aStage({ ledger: 'resend', own: OWN_KINDS })
  await Promise.all(stage.parties.map((party) => party.ledger.behave({ delayMs: 2_000 })))
  const sent = new Map<Client, Campaign[]>()
  await Promise.all(
    stage.parties.map(async ({ client }) =>
      sent.set(client, await client.sendMany('many', 60, MAILS_A_CALL)),
    ),
  )
  await stage.worker.end('SIGKILL')
  await stage.worker.start()

  await eachParty(stage, 'R1 waiting', async (party, demands) => {
    await party.ledger.behave({ delayMs: 0 })
    const campaigns = sent.get(party.client) ?? []
    for (const { id } of campaigns) await party.client.settled(id, SETTLE_MS)
    const deliveries = await audit(party, campaigns, demands, { unknown: IN_HAND[party.ledger.kind] })
    // A call that has come in is taken, although nobody is left to hear the answer.
    const called = new Set((await party.ledger.acceptances()).map(({ to }) => to))
    const uncalled = deliveries.filter(({ address, state }) => state === 'unknown' && !called.has(address))
    demands.atMost('unconfirmed, and in no call', AHEAD_MAX, uncalled.length)
  })
}

async function play({ ledger, own, kills, first, small, delayMs }: Case, seed: number): Promise<void> {
  const chance = mulberry32(seed)
  await using stage = await aStage({ ledger, own })
  const { parties, worker } = stage
  const sent = new Map<Client, Campaign[]>(parties.map(({ client }) => [client, []]))
  const send = (what: (client: Client) => Promise<Campaign[]>) =>
    Promise.all(parties.map(async ({ client }) => sent.get(client)?.push(...(await what(client)))))
  const begun = async () => {
    const reports = await Promise.all(parties.map((party) => party.ledger.report()))
    return reports.reduce((sum, report) => sum + report.begun, 0)
  }

  for (const party of parties) await party.ledger.behave({ delayMs, seed })
  await send(first)
  for (let kill = 1; kill <= kills; kill++) {
    const before = await begun()
    await send(async (client) => [await client.send(`small${kill}`, small)])
    await sleep(between(chance, 250, 700))
    // On a busy machine it may take longer until there is a sending worker to be killed.
    await until('the worker sends', async () => (await begun()) > before)
    await worker.end('SIGKILL')
    await worker.start()
  }
  const lastFault = machineNow()

  await eachParty(stage, `R1 seed ${seed}`, async (party, demands) => {
    const campaigns = sent.get(party.client) ?? []
    for (const { id } of campaigns) await party.client.settled(id, SETTLE_MS)
    demands.atMost('I5 settled after the last kill', SETTLE_MS / 1000, secondsSince(lastFault), 's')
    const deliveries = await audit(party, campaigns, demands, {
      unknown: IN_HAND[party.ledger.kind] * kills,
    })
    demands.note('unconfirmed for each kill', tally(deliveries).unknown / kills)
  })
}
