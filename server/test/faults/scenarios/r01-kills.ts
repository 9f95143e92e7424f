import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { AHEAD_MAX } from '../../../delivery/pace.ts'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { BY_HTTP, BY_OWN_ACCOUNTS, BY_SMTP, type Cast } from '../casts.ts'
import { between, mulberry32 } from '../chance.ts'
import type { Campaign, Client } from '../client.ts'
import { tally } from '../deliveries.ts'
import { eachParty } from '../each-party.ts'
import { IN_HAND, MAILS_A_CALL, SETTLE_MS, secondsSince } from '../figures.ts'
import type { ProductKind } from '../ledger/protocol.ts'
import { SIZE, seeds, sized, timeLimit } from '../size.ts'
import { aStage, type Party } from '../stage.ts'

const KILLS = sized({ ci: 10, full: 40 })
/** A campaign before each kill, so that none finds an idle worker. */
const SMALL = sized({ ci: 60, full: 150 })
/**
 * Long enough that the kill comes while the small campaign is under way (a call of HTTP takes all of it at once), and
 * short enough that what is left after the last kill can be sent within the time that is demanded.
 */
const DELAY_MS: Record<ProductKind, number> = { smtp: sized({ ci: 120, full: 25 }), resend: 500 }

/** What all kills meet. A call carries one letter: a large campaign makes large calls, many small ones make many. */
async function sendFirst({ ledger, client }: Party): Promise<Campaign[]> {
  if (ledger.kind === 'smtp' || ledger.kind === 'resend')
    return [await client.send('large', sized({ ci: 400, full: 4_000 }))]
  return [
    await client.send('large', sized({ ci: 1_200, full: 4_000 })),
    ...(await client.sendMany('many', sized({ ci: 20, full: 60 }), MAILS_A_CALL)),
  ]
}

describe.concurrent('R1 the worker is killed again and again', () => {
  for (const [name, cast] of Object.entries({ smtp: BY_SMTP, ...BY_HTTP }))
    for (const seed of seeds({ ci: 1, full: 5 }))
      it(
        `and nobody is mailed twice or left out (${name}, seed ${seed})`,
        () => play(cast, seed),
        timeLimit(600),
      )
})

describe.skipIf(SIZE === 'ci')('R1 the worker is killed while many small campaigns wait', () => {
  it('and hardly anybody is in doubt who was in no call', waiting, timeLimit(120))
})

async function waiting(): Promise<void> {
  await using stage = await aStage(BY_OWN_ACCOUNTS)
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

async function play(cast: Cast, seed: number): Promise<void> {
  const chance = mulberry32(seed)
  await using stage = await aStage(cast)
  const { parties, worker } = stage
  const sent = new Map<Client, Campaign[]>(parties.map(({ client }) => [client, []]))
  const send = (what: (party: Party) => Promise<Campaign[]>) =>
    Promise.all(parties.map(async (party) => sent.get(party.client)?.push(...(await what(party)))))
  const begun = async () =>
    (await Promise.all(parties.map(({ ledger }) => ledger.report()))).map((one) => one.begun)

  for (const party of parties) await party.ledger.behave({ delayMs: DELAY_MS[cast.ledger], seed })
  await send(sendFirst)
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await begun()
    await send(async ({ client }) => [await client.send(`small${kill}`, SMALL)])
    await sleep(between(chance, 250, 700))
    // On a busy machine it may take longer until there is a worker to be killed that has begun to send for each of them.
    await until(
      'the worker sends',
      async () => (await begun()).every((count, index) => count > (before[index] ?? 0)),
      SETTLE_MS,
    )
    await worker.end('SIGKILL')
    await worker.start()
  }
  const lastFault = machineNow()

  await eachParty(stage, `R1 seed ${seed}`, async (party, demands) => {
    const campaigns = sent.get(party.client) ?? []
    for (const { id } of campaigns) await party.client.settled(id, SETTLE_MS)
    demands.atMost('I5 settled after the last kill', SETTLE_MS / 1000, secondsSince(lastFault), 's')
    const deliveries = await audit(party, campaigns, demands, {
      unknown: IN_HAND[party.ledger.kind] * KILLS,
    })
    demands.note('unconfirmed for each kill', tally(deliveries).unknown / KILLS)
  })
}
