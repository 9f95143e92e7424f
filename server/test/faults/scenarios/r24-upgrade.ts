import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { countersThatDiffer } from '../counters.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS, secondsSince } from '../figures.ts'
import { aNextVersion } from '../next-version.ts'
import { SIZE, sized, timeLimit } from '../size.ts'
import { aStage, environment, type Stage } from '../stage.ts'

const RECIPIENTS = sized({ ci: 900, full: 10_000 })
const DELAY_MS = sized({ ci: 120, full: 40 })
/** A version that finds the database newer than itself ends with a sentence. */
const NEWER = 'The database was migrated by a newer Postrider'

/** How the old processes go, and how many mails that may leave in doubt. */
type Way = { how: string; isFirst: boolean; signal: 'SIGTERM' | 'SIGKILL'; unknown: number }
const BESIDE: Way = {
  how: 'still sends while the new one migrates',
  isFirst: false,
  signal: 'SIGTERM',
  unknown: 0,
}
const WAYS = sized<Way[]>({
  ci: [BESIDE],
  full: [
    { how: 'is stopped first, as the handbook says', isFirst: true, signal: 'SIGTERM', unknown: 0 },
    BESIDE,
    { how: 'dies in the middle of it', isFirst: true, signal: 'SIGKILL', unknown: IN_HAND_BY_SMTP },
  ],
})

describe.concurrent('R24 a new version with a migration comes in the middle of a campaign', () => {
  for (const way of WAYS)
    it(`and the old one ${way.how}: every recipient is accounted for`, () => play(way), timeLimit(240))
})

async function play({ how, isFirst, signal, unknown }: Way): Promise<void> {
  const demands = demandsOf(`R24 the old one ${how}`)
  await using next = await aNextVersion()
  await using stage = await aStage({ ledger: 'smtp', together: SIZE === 'ci' })
  const { ledger, client, web, worker } = stage
  await ledger.behave({ delayMs: DELAY_MS })
  const campaign = await client.send('upgrade', RECIPIENTS)
  const taken = async () => (await ledger.acceptances()).length
  await until('a quarter is sent', async () => (await taken()) > RECIPIENTS / 4, SETTLE_MS)

  const endOld = () => Promise.all([...new Set([worker, web])].map((one) => one.end(signal)))
  if (isFirst) await endOld()
  const sentBefore = await taken()
  const start = machineNow()
  await stage.start('worker', { main: next.main })
  demands.note('until the new version was up', secondsSince(start), 's')
  if (!isFirst) {
    demands.exactly('the old web answers beside it', 'yes', (await client.look(campaign.id)) ? 'yes' : 'no')
    await endOld()
  }
  await stage.start('web', { main: next.main, env: { PORT: new URL(web.url).port } })
  await client.settled(campaign.id, SETTLE_MS)

  demands.atMost('sent when the new version came', RECIPIENTS - 1, sentBefore)
  demands.exactly('the old version refuses the new schema', 'yes', await isRefused(stage))
  await audit({ ...stage, databaseUrl: null }, [campaign], demands, { unknown })
  demands.none(
    'I6 counters that differ from the deliveries',
    await countersThatDiffer(stage.databaseUrl, next.verifyCounters),
  )
  demands.hold()
}

async function isRefused({ ground, ledger, databaseUrl }: Stage): Promise<'yes' | 'no'> {
  const old = await ground.start({ ...environment(databaseUrl, 'worker'), ...ledger.env(0) })
  return (await old.ended) !== 0 && old.output().includes(NEWER) ? 'yes' : 'no'
}
