import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { audit } from '../auditor.ts'
import type { Campaign } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { SETTLE_MS, secondsSince } from '../figures.ts'
import { SIZE, sized, timeLimit } from '../size.ts'
import { aStage, type Stage } from '../stage.ts'

const WORKERS = sized({ ci: 2, full: 4 })
const RECIPIENTS = sized({ ci: 3_000, full: 10_000 })
/**
 * A worker that is not woken looks by itself once a second: a short list must take longer than that. And one must not be
 * as fast as two cores are, with database, mail server and all: others could not show that they help.
 */
const DELAY_MS = sized({ ci: 40, full: 20 })

describe.concurrent('R6 several workers on one database', () => {
  it('share a campaign: nobody is mailed twice, each does its part', play, timeLimit(240))
})

async function play(): Promise<void> {
  const demands = demandsOf('R6')
  // Where nothing is timed, the first worker may serve the pages as well.
  await using stage = await aStage({ ledger: 'smtp', doors: WORKERS, together: SIZE === 'ci' })
  await stage.ledger.behave({ delayMs: DELAY_MS })
  const campaigns: Campaign[] = []
  const alone = SIZE === 'ci' ? null : await timed(stage, campaigns, 'alone')

  for (let door = 1; door < WORKERS; door++) await stage.start('worker', { door })
  const together = await timed(stage, campaigns, 'together')
  const isTogether = new Set(campaigns.at(-1)?.recipients)
  const sent = Array.from({ length: WORKERS }, () => 0)
  for (const { to, door } of await stage.ledger.acceptances())
    if (isTogether.has(to)) sent[door] = (sent[door] ?? 0) + 1

  demands.atLeast('smallest share of a worker', 10, (Math.min(...sent) / RECIPIENTS) * 100, '%')
  demands.note('sent in a second together', RECIPIENTS / together)
  if (alone !== null) {
    demands.note('sent in a second by one', RECIPIENTS / alone)
    demands.atLeast('as fast as one', 1.5, alone / together, 'times')
  }
  await audit(stage, campaigns, demands, { unknown: 0 })
  demands.hold()
}

async function timed({ client }: Stage, campaigns: Campaign[], name: string): Promise<number> {
  const start = machineNow()
  const campaign = await client.send(name, RECIPIENTS)
  campaigns.push(campaign)
  await client.settled(campaign.id, SETTLE_MS)
  return secondsSince(start)
}
