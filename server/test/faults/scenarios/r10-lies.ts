import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { demandsOf } from '../demands.ts'
import { SETTLE_MS } from '../figures.ts'
import { AMBIGUOUS } from '../ledger/protocol.ts'
import { seeds, sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const BY_SMTP = sized({ ci: 1_000, full: 5_000 })
const BY_RESEND = sized({ ci: 1_000, full: 10_000 })

describe.concurrent('R10 the provider lies', () => {
  for (const seed of seeds({ ci: 1, full: 3 })) {
    it(
      `by SMTP, and exactly those are unconfirmed of whom nobody can know (seed ${seed})`,
      () => bySmtp(seed),
      timeLimit(240),
    )
    it(`as Resend, and nobody is unconfirmed (seed ${seed})`, () => asResend(seed), timeLimit(400))
  }
})

async function bySmtp(seed: number): Promise<void> {
  const demands = demandsOf(`R10 smtp seed ${seed}`)
  await using stage = await aStage({ ledger: 'smtp', together: true })
  const { ledger, client } = stage
  await ledger.behave({ lies: { 'drop-at-data': 0.1, 'drop-at-dot': 0.05, 'accept-then-drop': 0.05 }, seed })
  const campaign = await client.send('lied', BY_SMTP)
  await client.settled(campaign.id, SETTLE_MS)

  const deliveries = await audit(stage, [campaign], demands, { unknown: BY_SMTP })
  const unknown = new Set(deliveries.filter(({ state }) => state === 'unknown').map(({ address }) => address))
  const doubtful = new Set(
    (await ledger.entries()).flatMap((entry) =>
      entry.kind === 'lie' && AMBIGUOUS.has(entry.lie) ? [entry.to] : [],
    ),
  )
  demands.atLeast('ambiguous lies', BY_SMTP / 20, doubtful.size)
  demands.none(
    'unconfirmed without need',
    [...unknown].filter((address) => !doubtful.has(address)),
  )
  demands.none(
    'ambiguous, and not unconfirmed',
    [...doubtful].filter((address) => !unknown.has(address)),
  )
  demands.hold()
}

async function asResend(seed: number): Promise<void> {
  const demands = demandsOf(`R10 resend seed ${seed}`)
  await using stage = await aStage({ ledger: 'resend', together: true })
  const { ledger, client } = stage
  await ledger.behave({ lies: { fail: 0.1, 'accept-then-fail': 0.05, 'accept-then-drop': 0.05 }, seed })
  const campaign = await client.send('lied', BY_RESEND)
  await client.settled(campaign.id, sized({ ci: SETTLE_MS, full: 5 * SETTLE_MS }))

  const calls = (await ledger.entries()).filter((entry) => entry.kind === 'call')
  demands.atLeast('lies', 1, calls.filter(({ status }) => status !== 200).length)
  await audit(stage, [campaign], demands, { unknown: 0 })
  demands.hold()
}
