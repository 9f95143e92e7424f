import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import { demandsOf } from '../demands.ts'
import { aDurablePostgres } from '../durable-postgres.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS, secondsSince } from '../figures.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const ROUNDS = sized({ ci: 2, full: 10 })
const LARGE = sized({ ci: 500, full: 8_000 })
const SMALL = sized({ ci: 100, full: 200 })
/** Long enough that every kill finds mails under way, short enough that what is left then can be sent within the time. */
const DELAY_MS = sized({ ci: 70, full: 30 })

// Alone: two processes and a recovery that start beside another installation share the processor with it.
describe('R2 web, worker and PostgreSQL are killed at the same moment', () => {
  it('and all come back, and nobody is mailed twice or left out', play, timeLimit(300))
})

async function play(): Promise<void> {
  const demands = demandsOf('R2')
  const chance = mulberry32(2)
  await using postgres = await aDurablePostgres()
  await using stage = await aStage({ ledger: 'smtp', database: postgres })
  const { ledger, client, web, worker } = stage
  await ledger.behave({ delayMs: DELAY_MS, seed: 2 })
  const campaigns = [await client.send('large', LARGE)]

  let slowest = 0
  for (let round = 1; round <= ROUNDS; round++) {
    campaigns.push(await client.send(`small${round}`, SMALL))
    await sleep(between(chance, 250, 900))
    await Promise.all([postgres.kill(), web.end('SIGKILL'), worker.end('SIGKILL')])
    const start = machineNow()
    await Promise.all([web.start(), worker.start()])
    slowest = Math.max(slowest, secondsSince(start))
  }
  const lastFault = machineNow()
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)

  demands.atMost('ready again', 10, slowest, 's')
  demands.atMost('I5 settled after the last kill', SETTLE_MS / 1000, secondsSince(lastFault), 's')
  await audit(stage, campaigns, demands, { unknown: IN_HAND_BY_SMTP * ROUNDS })
  demands.hold()
}
