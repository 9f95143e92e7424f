import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { FLAGS_OF_NPM_START } from '../../process.ts'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import type { Campaign, Client } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { eachParty } from '../each-party.ts'
import { IN_HAND, SETTLE_MS, secondsSince } from '../figures.ts'
import { aPulse, type Pulse } from '../pulse.ts'
import { SIZE, sized, timeLimit } from '../size.ts'
import { aStage, type Stage } from '../stage.ts'
import { tableSizes } from '../table-sizes.ts'

const MINUTES = sized({ ci: 0, full: 5, long: 110 })
/**
 * Compiled code, caches, kept connections and the room for garbage grow to their size first, by what is sent rather than
 * by the clock: a worker comes to some 20 MB more within 100,000 mails, and hardly more after. At five times the rate
 * most of that is soon over.
 */
const FAST_MINUTES = sized({ ci: 0, full: 1, long: 20 })
/** With the rate falls the room for garbage, and finds its size anew: what comes back then was there before. */
const WARM_UP_MINUTES = sized({ ci: 0, full: 2, long: 50 })
const FAST_ROUND_MS = 2_000
/** Two users, each a campaign of a hundred in ten seconds: twenty mails a second. */
const ROUND_MS = 10_000
const MAILS = 100
/** Through these passes whatever is sent. */
const QUEUE_TABLES = ['deliveries', 'delivery_windows', 'runs', 'pgboss.job_common']

describe.skipIf(SIZE === 'ci')('R32 mail is sent without a pause, and each minute a worker is killed', () => {
  it('and nobody is mailed twice or left out, and nothing grows that does not shrink', soak, timeLimit(4_500))
})

async function soak(): Promise<void> {
  await using stage = await aStage({
    ...{ ledger: 'smtp', doors: 2, own: ['sendgrid'], all: true },
    flags: FLAGS_OF_NPM_START,
  })
  // It lives as long as the web does; what the other leaves behind falls to it.
  const survivor = await stage.start('worker', { door: 1 })
  const pulses = new Map([
    ['web', aPulse(stage.web.pid())],
    ['worker', aPulse(survivor.pid())],
  ])
  const sent = new Map<Client, Campaign[]>(stage.parties.map(({ client }) => [client, []]))
  const chance = mulberry32(32)
  for (let minute = 1; minute <= MINUTES; minute++) {
    const isWarm = minute > WARM_UP_MINUTES
    const roundMs = minute > FAST_MINUTES ? ROUND_MS : FAST_ROUND_MS
    const sending = sendForAMinute(stage, sent, { minute, roundMs })
    await Promise.all([sending, killOnce(stage, between(chance, 5_000, 50_000))])
    for (const pulse of pulses.values()) isWarm ? pulse.next() : pulse.forget()
  }
  const lastFault = machineNow()

  await eachParty(stage, 'R32', async (party, demands) => {
    const campaigns = sent.get(party.client) ?? []
    for (const { id } of campaigns) await party.client.settled(id, SETTLE_MS)
    demands.atMost('I5 settled after the last kill', SETTLE_MS / 1000, secondsSince(lastFault), 's')
    await audit(party, campaigns, demands, { unknown: IN_HAND[party.ledger.kind] * MINUTES })
  })
  await judge(stage, pulses)
}

async function sendForAMinute(
  stage: Stage,
  sent: Map<Client, Campaign[]>,
  { minute, roundMs }: { minute: number; roundMs: number },
): Promise<void> {
  const start = performance.now()
  for (let round = 1; round <= 60_000 / roundMs; round++) {
    for (const { client } of stage.parties)
      sent.get(client)?.push(await client.send(`minute${minute}round${round}`, MAILS))
    await sleep(Math.max(0, start + round * roundMs - performance.now()))
  }
}

async function killOnce({ worker }: Stage, afterMs: number): Promise<void> {
  await sleep(afterMs)
  await worker.end('SIGKILL')
  await worker.start()
}

async function judge(stage: Stage, pulses: ReadonlyMap<string, Pulse>): Promise<void> {
  const demands = demandsOf('R32')
  for (const [name, pulse] of pulses) {
    pulse.stop()
    const { memory, descriptors } = pulse.figures()
    demands.note(`memory of the ${name} after the warm-up and at the end`, memory.between, 'MB')
    // Within minutes a slope says nothing: one garbage collection is more than that.
    if (SIZE === 'long') demands.atMost(`memory that the ${name} gains`, 6, memory.anHour, 'MB an hour')
    else demands.note(`memory that the ${name} gains`, memory.anHour, 'MB an hour')
    demands.atMost(`descriptors of the ${name} more than after the warm-up`, 2, descriptors.gained)
  }
  for (const { table, size, live } of await tableSizes(stage.databaseUrl, QUEUE_TABLES))
    demands.atMost(`size of ${table}, by its live rows`, 2, size / live, 'times')
  demands.hold()
}
