import { setTimeout as sleep } from 'node:timers/promises'
import { inject, it } from 'vitest'
import { aWayTo, type DatabaseWay } from '../../database-way.ts'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { alone } from '../alone.ts'
import { audit } from '../auditor.ts'
import type { Campaign } from '../client.ts'
import { type Demands, demandsOf } from '../demands.ts'
import { SETTLE_MS, secondsSince } from '../figures.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage, type Stage } from '../stage.ts'

const OUTAGES: readonly { how: 'refuse' | 'hold'; seconds: number }[] = sized({
  ci: [
    { how: 'refuse', seconds: 0.1 },
    { how: 'hold', seconds: 4 },
  ],
  full: [0.1, 10, 60].flatMap((seconds) => [
    { how: 'refuse' as const, seconds },
    { how: 'hold' as const, seconds },
  ]),
})
const RESETS = sized({ ci: 6, full: 40 })
const RECIPIENTS = sized({ ci: 300, full: 1_500 })
/** Enough for all resets: a campaign that is done commits nothing more. */
const CUT_RECIPIENTS = sized({ ci: 300, full: 4_000 })
const DELAY_MS = 100
const ANSWER_MS = 2_000
/** Where the engine commits: a transaction of several statements, and the one statement of its every step. */
const COMMITS = /commit|update deliveries/i

alone('R3 the database goes away in the middle of a campaign', () => {
  it('and the API says so at once, nothing exits, and everybody is accounted for', away, timeLimit(400))
  it('in the moment of a commit, and what was committed is neither lost nor done twice', cut, timeLimit(120))
})

async function away(): Promise<void> {
  const demands = demandsOf('R3 away')
  await using way = await aWayTo(inject('postgres').url)
  await using stage = await aStage({ ledger: 'smtp', together: true, by: way.url })
  await stage.ledger.behave({ delayMs: DELAY_MS })
  const campaigns: Campaign[] = []
  for (const [index, { how, seconds }] of OUTAGES.entries()) {
    const campaign = await stage.client.send(`outage${index}`, RECIPIENTS)
    campaigns.push(campaign)
    await untilSending(stage)
    await outage(stage, way, campaign, how, seconds, demands)
  }
  demands.exactly('processes that ended', 0, await endedAmong(stage))
  await audit(stage, campaigns, demands, { unknown: 0 })
  demands.hold()
}

async function outage(
  { client }: Stage,
  way: DatabaseWay,
  { id }: Campaign,
  how: 'refuse' | 'hold',
  seconds: number,
  demands: Demands,
): Promise<void> {
  const name = `${how} ${seconds} s`
  const start = machineNow()
  const statuses = new Set<number>()
  let slowest = 0
  way.behave(how)
  while (secondsSince(start) < seconds) {
    const { status, milliseconds } = await client.call('GET', `/api/email-history/${id}`)
    slowest = Math.max(slowest, milliseconds)
    statuses.add(status)
    await sleep(50)
  }
  way.behave('pass')
  const back = machineNow()
  await until(`${name}: the API is back`, async () => (await client.look(id)) !== null, 30_000)
  demands.atMost(`${name}: the API is back`, 10, secondsSince(back), 's')
  await client.settled(id, SETTLE_MS)
  demands.atMost(`${name}: I5 settled`, SETTLE_MS / 1000, secondsSince(back), 's')
  demands.atMost(`${name}: slowest answer`, ANSWER_MS / 1000, slowest / 1000, 's')
  demands.none(
    `${name}: answers other than 503`,
    [...statuses].filter((status) => status !== 503 && !(status === 200 && seconds < 1)).map(String),
  )
}

async function cut(): Promise<void> {
  const demands = demandsOf('R3 cut in a commit')
  await using way = await aWayTo(inject('postgres').url)
  await using stage = await aStage({ ledger: 'smtp', together: true, by: way.url })
  await stage.ledger.behave({ delayMs: DELAY_MS })
  const campaign = await stage.client.send('cut', CUT_RECIPIENTS)
  await untilSending(stage)
  for (let reset = 0; reset < RESETS; reset++) {
    way.resetAt(COMMITS, reset % 2 === 0 ? 'after' : 'before')
    await until('a commit passes', async () => way.resets() > reset)
    await sleep(100)
  }
  await stage.client.settled(campaign.id, SETTLE_MS)
  demands.exactly('processes that ended', 0, await endedAmong(stage))
  await audit(stage, [campaign], demands, { unknown: 0 })
  demands.hold()
}

async function untilSending({ ledger }: Stage): Promise<void> {
  const { accepted } = await ledger.report()
  await until('mail flows', async () => (await ledger.report()).accepted > accepted)
}

async function endedAmong({ web, worker }: Stage): Promise<number> {
  const alive = Promise.resolve('alive')
  const states = await Promise.all(
    [...new Set([web, worker])].map((one) => Promise.race([one.ended(), alive])),
  )
  return states.filter((state) => state !== 'alive').length
}
