import { describe, it } from 'vitest'
import { knownOrNot, type PreparedCall, SILENT_ROUTES, type SilentRoute } from '../../known-or-not.ts'
import { aRunningApp } from '../../running-app.ts'
import { demandsOf } from '../demands.ts'
import { SIZE, timeLimit } from '../size.ts'

const PAIRS = 500
const DIFFERENCE_MS = 5

/** `npm test` compares the quickest of a few, which shows a missing hash; only many show a few milliseconds. */
describe.skipIf(SIZE === 'ci')('S21 time tells nobody who has an account', () => {
  it.each(SILENT_ROUTES)('%s', (route) => play(route), timeLimit(600))
})

async function play(route: SilentRoute): Promise<void> {
  const demands = demandsOf('S21')
  await using running = await aRunningApp({}, { isCostly: true })
  const calls = await knownOrNot(running, route)
  // The first calls of a process take longer, whoever they are for.
  for (const call of [calls.known, calls.unknown]) await timeOf(call)

  const times = { known: [] as number[], unknown: [] as number[] }
  for (let pair = 0; pair < PAIRS; pair++) {
    // Each is first by turns, for the second finds a warmer machine.
    const order = pair % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) times[kind].push(await timeOf(calls[kind]))
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  demands.atMost(`difference of the medians, ${route}`, DIFFERENCE_MS, Math.abs(known - unknown), 'ms')
  demands.note(`median without an account, ${route}`, unknown, 'ms')
  demands.hold()
}

async function timeOf(prepare: PreparedCall): Promise<number> {
  const call = await prepare()
  const start = performance.now()
  await call()
  return performance.now() - start
}

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
