import { readFile } from 'node:fs/promises'
import { describe, it } from 'vitest'
import { PASSWORD } from '../../accounts.ts'
import { freshDatabase } from '../../database.ts'
import { machineNow } from '../../machine-clock.ts'
import { aGround } from '../../process.ts'
import { createClient } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { secondsSince } from '../figures.ts'
import { aPostrider } from '../postrider.ts'
import { sized, timeLimit } from '../size.ts'
import { environment } from '../stage.ts'

/** Each from a place of its own, as when a conference signs up. */
const STRANGERS = sized({ ci: 30, full: 500 })
/** One who signs up address after address: at full size more than one may, which otherwise the tests of auth/ show. */
const BY_ONE = sized({ ci: 30, full: 500 })
const TOLD_TO_WAIT = sized({ ci: 0, full: 100 })
const LIMIT_SECONDS = 60
/** Only there is it known who calls whom it passes on. */
const BEHIND_A_PROXY = 'https://post.example.test'

const TOO_MANY = /^Too many attempts\. Please wait \d+ \w+ and try again$/

describe('R28 a storm of sign-ups', () => {
  it('is served or told to wait, within bounded memory', () => play(), timeLimit(180))
})

async function play(): Promise<void> {
  const demands = demandsOf('R28')
  await using database = await freshDatabase()
  await using ground = await aGround()
  const postrider = await aPostrider(ground, {
    ...environment(database.url, 'web,worker'),
    PUBLIC_URL: BEHIND_A_PROXY,
  })
  const { call } = createClient(postrider.url)
  const signUp = (name: string, from: string) =>
    call(
      'POST',
      '/api/auth/register',
      { email: `${name}@storm.test`, password: PASSWORD },
      { origin: BEHIND_A_PROXY, 'x-forwarded-for': from },
    )
  const began = machineNow()
  const [strangers, one] = await Promise.all([
    Promise.all(
      Array.from({ length: STRANGERS }, (_, n) =>
        signUp(`stranger${n}`, `198.51.${Math.floor(n / 250)}.${n % 250}`),
      ),
    ),
    Promise.all(Array.from({ length: BY_ONE }, (_, n) => signUp(`number${n}`, '203.0.113.7'))),
  ])
  demands.atMost('until all are answered', LIMIT_SECONDS, secondsSince(began), 's')
  demands.exactly('strangers who are served', STRANGERS, strangers.filter(isServed).length)
  demands.none(
    'answers that neither serve nor say how long to wait',
    [...strangers, ...one]
      .filter((answer) => !isServed(answer) && !(answer.status === 429 && TOO_MANY.test(answer.text)))
      .map(({ status, text }) => `${status} ${text}`),
  )
  demands.atLeast(
    'of those by one caller are told to wait',
    TOLD_TO_WAIT,
    one.filter(({ status }) => status === 429).length,
  )
  demands.atMost('memory of the process', 600, await peakMegabytes(postrider.pid()), 'MB')
  demands.hold()
}

const isServed = ({ status }: { status: number }): boolean => status === 200

async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(status.match(/^VmHWM:\s+(\d+) kB$/m)?.[1]) / 1024
}
