import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts.ts'
import { audit } from '../auditor.ts'
import { createClient } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS } from '../figures.ts'
import { SIZE, timeLimit } from '../size.ts'
import { aSkewedClock, findFaketime } from '../skewed-clock.ts'
import { aStage } from '../stage.ts'

const RECIPIENTS = 8_000
const HOUR = 3_600

describe.concurrent('R20 the clocks of the processes are wrong', () => {
  it(
    'by an hour, and nobody is mailed twice: the database tells the time',
    async (test) => {
      const library = SIZE === 'ci' ? null : await findFaketime()
      if (library) return play(library)
      const obstacle =
        SIZE === 'ci' ? 'at full size only' : 'libfaketime is missing (Debian: apt-get install faketime)'
      demandsOf('R20').note('not played', obstacle)
      test.skip(obstacle)
    },
    timeLimit(300),
  )
})

async function play(library: string): Promise<void> {
  const demands = demandsOf('R20')
  await using early = await aSkewedClock(library, -HOUR)
  await using late = await aSkewedClock(library, HOUR)
  await using stage = await aStage({ ledger: 'smtp', doors: 3 })
  const { ledger, client, worker } = stage
  await ledger.behave({ delayMs: 30 })
  const [first, second] = await Promise.all([
    stage.start('worker', { door: 1, env: early.env }),
    stage.start('worker', { door: 2, env: late.env }),
  ])
  const wrongWeb = await stage.start('web', { env: late.env })
  expect(await isSkewed(wrongWeb.url)).toBe(true)

  const campaign = await client.send('skewed', RECIPIENTS)
  await sleep(3_000)
  // One clock jumps back by two hours in the middle of the campaign, one worker dies, and another takes over.
  await late.set(-HOUR)
  await first.end('SIGKILL')
  await sleep(2_000)
  await worker.end('SIGKILL')
  await client.settled(campaign.id, SETTLE_MS)
  const doors = new Set((await ledger.acceptances()).map(({ door }) => door))
  demands.exactly('workers that sent', 3, doors.size)
  demands.exactly(
    'the last worker lives',
    'alive',
    await Promise.race([second.ended(), Promise.resolve('alive')]).then(String),
  )

  // A session that a right clock made holds under a wrong one, and the other way round.
  const other = createClient(wrongWeb.url)
  const signedIn = await other.call('POST', '/api/auth/login', { email: 'owner@x.test', password: PASSWORD })
  demands.exactly('sign-in under a wrong clock', 200, signedIn.status)
  demands.exactly('the session there', 200, (await other.call('GET', '/api/auth/session')).status)
  await audit(stage, [campaign], demands, { unknown: 2 * IN_HAND_BY_SMTP })
  demands.hold()
}

/** Every answer carries its process's own time of day. */
async function isSkewed(url: string): Promise<boolean> {
  const { headers } = await fetch(`${url}/healthz`)
  return Math.abs(Date.parse(headers.get('date') ?? '') - Date.now()) > (HOUR / 2) * 1000
}
