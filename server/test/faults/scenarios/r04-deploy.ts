import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { it } from 'vitest'
import { openDatabase } from '../../../platform/database.ts'
import { createLog } from '../../../platform/log.ts'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { alone } from '../alone.ts'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import { demandsOf } from '../demands.ts'
import { SETTLE_MS, secondsSince, wallTime } from '../figures.ts'
import type { Postrider } from '../postrider.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage, type Stage } from '../stage.ts'

const RESTARTS = sized({ ci: 4, full: 20 })
const RECIPIENTS = sized({ ci: 700, full: 10_000 })
const DELAY_MS = sized({ ci: 80, full: 40 })
/** What was asked of the database before the signal was heard may be written a moment after. */
const UNDER_WAY_MS = 250
const LISTEN_MS = 20

alone('R4 the worker is stopped for a new version and started again', () => {
  it('and nobody is mailed twice or left in doubt', play, timeLimit(240))
})

async function play(): Promise<void> {
  const demands = demandsOf('R4')
  const chance = mulberry32(4)
  await using stage = await aStage({ ledger: 'smtp' })
  const { ledger, client, worker } = stage
  await ledger.behave({ delayMs: DELAY_MS })
  const campaign = await client.send('deploy', RECIPIENTS)
  const over = new AbortController()
  const listening = slowestAnswer(stage, over.signal)

  const stops: { heardAt: number; endedAt: number }[] = []
  const codes: string[] = []
  let slowest = 0
  for (let restart = 0; restart < RESTARTS; restart++) {
    await sleep(between(chance, 300, 800))
    const start = machineNow()
    worker.signal('SIGTERM')
    const heardAt = await heard(worker, restart + 1)
    const code = await worker.ended()
    if (code !== 0) codes.push(String(code))
    stops.push({ heardAt, endedAt: Date.now() })
    slowest = Math.max(slowest, secondsSince(start))
    await worker.start()
  }
  await client.settled(campaign.id, SETTLE_MS)

  demands.none('exit codes other than 0', codes)
  demands.atMost('slowest end', 30, slowest, 's')
  over.abort()
  const lateMs = await listening
  demands.note('slowest answer of the database', lateMs, 'ms')
  const late = await claimedWithin(stage, stops, UNDER_WAY_MS + lateMs)
  demands.none('put in flight after the signal', late)
  await audit(stage, [campaign], demands, { unknown: 0 })
  demands.hold()
}

/** On a busy machine a process hears of a signal when it next gets a turn; it says so at once. */
async function heard(worker: Postrider, times: number): Promise<number> {
  await until('the signal is heard', async () => worker.output().split('Stopping…').length > times)
  return Date.now()
}

/** The database knows when each delivery was last put in flight; a server only knows when it got round to reading. */
async function claimedWithin(
  { databaseUrl }: Stage,
  stops: readonly { heardAt: number; endedAt: number }[],
  underWayMs: number,
): Promise<string[]> {
  const db = openDatabase(databaseUrl, createLog('error'))
  const rows = await db.selectFrom('deliveries').select(['address', 'in_flight_at']).execute()
  await db.destroy()
  const isLate = (at: number) =>
    stops.some(({ heardAt, endedAt }) => at > heardAt + underWayMs && at <= endedAt)
  return rows.flatMap(({ address, in_flight_at }) =>
    in_flight_at && isLate(in_flight_at.getTime()) ? address : [],
  )
}

/** By how many milliseconds the database may have written late what was asked of it: it gets its turns as others do. */
async function slowestAnswer({ databaseUrl }: Stage, over: AbortSignal): Promise<number> {
  const db = openDatabase(databaseUrl, createLog('error'))
  let slowest = 0
  while (!over.aborted) {
    slowest = Math.max(slowest, await wallTime(() => sql`select 1`.execute(db)))
    await sleep(LISTEN_MS)
  }
  await db.destroy()
  return slowest
}
