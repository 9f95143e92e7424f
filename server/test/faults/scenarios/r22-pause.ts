import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { demandsOf } from '../demands.ts'
import { OBEY_MS, SETTLE_MS } from '../figures.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage, type Stage } from '../stage.ts'

const RECIPIENTS = sized({ ci: 400, full: 5_000 })
const CYCLES = 20
const DELAY_MS = 60
/** A short list must not come to its end while buttons are pressed, on a machine that is busy with another scenario. */
const SLOWLY_MS = sized({ ci: 300, full: DELAY_MS })

describe.concurrent('R22 pause, resume and cancel', () => {
  it('are obeyed within 2 s, and repeat or forget nobody', play, timeLimit(240))
})

async function play(): Promise<void> {
  const demands = demandsOf('R22')
  await using stage = await aStage({ ledger: 'smtp', together: true })
  const { client, ledger } = stage
  await ledger.behave({ delayMs: SLOWLY_MS })
  const campaign = await client.send('paused', RECIPIENTS)
  await untilSent(stage, 30)

  const paused = await client.act(campaign.id, 'pause')
  const pausedAt = Date.now()
  await sleep(OBEY_MS + 1_500)
  const quiet = await client.look(campaign.id)
  const resumedAt = Date.now()
  demands.exactly('answer to pause', 200, paused.status)
  demands.exactly('shown as', 'paused', quiet?.state ?? '')
  demands.exactly('in flight while paused', 0, quiet?.counts.inFlight ?? -1)
  demands.atLeast('left for later', 1, quiet?.counts.queued ?? 0)
  demands.exactly('answer to resume', 200, (await client.act(campaign.id, 'resume')).status)

  const before = (await ledger.report()).accepted
  await untilSent(stage, before + 20)
  const refused: string[] = []
  for (let cycle = 0; cycle < CYCLES; cycle++)
    for (const action of ['pause', 'resume'] as const) {
      const { status, text } = await client.act(campaign.id, action)
      if (status !== 200) refused.push(`${action} ${status} ${text}`)
      await sleep(20)
    }
  demands.none(`refused in ${CYCLES} rapid cycles`, refused)

  const doomed = await client.send('cancelled', RECIPIENTS)
  await untilSent(stage, 30, 'cancelled')
  const cancelled = await client.act(doomed.id, 'cancel')
  const cancelledAt = Date.now()
  await ledger.behave({ delayMs: DELAY_MS })
  demands.exactly('answer to cancel', 200, cancelled.status)
  const end = await client.settled(doomed.id, SETTLE_MS)
  demands.exactly('shown as, in the end', 'cancelled', end.state)
  demands.atLeast('cancelled recipients', 1, end.counts.cancelled)
  await client.settled(campaign.id, SETTLE_MS)
  demands.exactly(
    'resume of what was cancelled is refused',
    409,
    (await client.act(doomed.id, 'resume')).status,
  )
  await sleep(1_000)

  const begun = (name: string, from: number, until: number) =>
    ledger
      .acceptances()
      .then((all) =>
        all.filter(({ to, startedAt }) => to.startsWith(name) && startedAt > from && startedAt < until),
      )
      .then((late) => late.map(({ to }) => to))
  demands.none('begun while paused', await begun('paused', pausedAt + OBEY_MS, resumedAt))
  demands.none(
    'begun after cancel',
    await begun('cancelled', cancelledAt + OBEY_MS, Number.POSITIVE_INFINITY),
  )
  await audit(stage, [campaign], demands, { unknown: 0 })
  // The counters of both campaigns have just been recounted.
  await audit({ ...stage, databaseUrl: null }, [doomed], demands, { unknown: 0, ends: ['cancelled'] })
  demands.hold()
}

const untilSent = ({ ledger }: Stage, count: number, name = ''): Promise<void> =>
  until('mail flows', async () => {
    const all = await ledger.acceptances()
    return all.filter(({ to }) => to.startsWith(name)).length > count
  })
