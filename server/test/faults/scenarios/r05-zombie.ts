import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import type { Campaign } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND, LEASE_MS, SETTLE_MS, secondsSince } from '../figures.ts'
import type { ProductKind } from '../ledger/protocol.ts'
import type { Postrider } from '../postrider.ts'
import { stageFor } from '../shared-stage.ts'
import { furtherWay, sized, timeLimit } from '../size.ts'
import { aStage, type Stage } from '../stage.ts'

const ROUNDS = sized({ ci: 1, full: 10 })
const RECIPIENTS = sized({ ci: 300, full: 300 })
/** Long enough that the worker is stopped before, in and after calls, and still has much to do. */
const DELAY_MS: Record<ProductKind, number> = { smtp: 60, resend: 1_500 }
const TAKE_OVER_MS = LEASE_MS + 15_000
const STAGES = { smtp: stageFor(() => aStageOfTwo('smtp')), resend: stageFor(() => aStageOfTwo('resend')) }

describe.concurrent('R5 a worker that was frozen for longer than its lease', () => {
  it('repeats nobody when it wakes up (smtp)', () => STAGES.smtp(play), timeLimit(400))
  it('repeats nobody when it wakes up (resend)', furtherWay(400), () => STAGES.resend(play))
  it('leaves nobody in doubt where all others were frozen with it', furtherWay(400), () =>
    STAGES.smtp(playTogether),
  )
})

type StageOfTwo = Stage & { workers: readonly Postrider[] }

async function aStageOfTwo(ledger: ProductKind): Promise<StageOfTwo> {
  await using opened = new AsyncDisposableStack()
  const stage = opened.use(await aStage({ ledger, doors: 2 }))
  const workers = [stage.worker, await stage.start('worker', { door: 1 })]
  await stage.ledger.behave({ delayMs: DELAY_MS[ledger] })
  const all = opened.move()
  return { ...stage, workers, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function play(stage: StageOfTwo): Promise<void> {
  const { ledger, client, workers } = stage
  const demands = demandsOf(`R5 ${ledger.kind}`)
  const chance = mulberry32(5)
  const campaigns: Campaign[] = []
  let slowest = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const campaign = await client.send(`zombie${round}`, RECIPIENTS)
    campaigns.push(campaign)
    const door = await firstDoor(stage, campaign)
    await sleep(between(chance, 50, 400))
    const zombie = workers[door]
    if (!zombie) throw new Error('mail came by a door that nobody has')
    zombie.signal('SIGSTOP')
    const stoppedAt = Date.now()
    const start = machineNow()
    await until(
      'another worker goes on',
      () => comesBy(stage, campaign, 1 - door, stoppedAt),
      2 * TAKE_OVER_MS,
    )
    slowest = Math.max(slowest, secondsSince(start))
    // It wakes up while the other is in the middle of what was once its own.
    await sleep(between(chance, 0, 500))
    zombie.signal('SIGCONT')
    await client.settled(campaign.id, SETTLE_MS)
  }
  demands.atMost('another worker goes on', TAKE_OVER_MS / 1000, slowest, 's')
  // A moment for whatever the last zombie may still do.
  await sleep(1_000)
  await audit(stage, campaigns, demands, { unknown: IN_HAND[ledger.kind] * ROUNDS })
  demands.hold()
}

/** As on a machine that stood still: each finds that the leases of all have run out, its own too. */
async function playTogether(stage: StageOfTwo): Promise<void> {
  const { client, workers } = stage
  const demands = demandsOf('R5 together')
  const campaigns: Campaign[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const campaign = await client.send(`standstill${round}`, RECIPIENTS)
    campaigns.push(campaign)
    await firstDoor(stage, campaign)
    for (const worker of workers) worker.signal('SIGSTOP')
    await sleep(LEASE_MS + 2_000)
    for (const worker of workers) worker.signal('SIGCONT')
    await client.settled(campaign.id, SETTLE_MS)
  }
  await audit(stage, campaigns, demands, { unknown: 0 })
  demands.hold()
}

const ofCampaign = async ({ ledger }: Stage, { recipients }: Campaign) => {
  const isOurs = new Set(recipients)
  return (await ledger.acceptances()).filter(({ to }) => isOurs.has(to))
}

async function firstDoor(stage: Stage, campaign: Campaign): Promise<number> {
  let door: number | undefined
  await until('mail flows', async () => {
    door = (await ofCampaign(stage, campaign))[0]?.door
    return door !== undefined
  })
  return door ?? 0
}

/** A call that is repeated takes no mail a second time, so with Resend it is the calls that tell. */
async function comesBy(stage: Stage, campaign: Campaign, door: number, since: number): Promise<boolean> {
  const { ledger } = stage
  if (ledger.kind === 'smtp') return (await ofCampaign(stage, campaign)).some((mail) => mail.door === door)
  const entries = await ledger.entries()
  return entries.some((entry) => entry.kind === 'call' && entry.door === door && entry.at > since)
}
