import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { BY_OWN_ACCOUNTS, BY_RESEND, BY_SMTP, type Cast } from '../casts.ts'
import type { Campaign, Client } from '../client.ts'
import type { Demands } from '../demands.ts'
import { eachParty, type Scene } from '../each-party.ts'
import { MAILS_A_CALL, SETTLE_MS } from '../figures.ts'
import { playWith } from '../http-stage.ts'
import { AMBIGUOUS, type Behaviour, type Lie } from '../ledger/protocol.ts'
import { furtherWay, SIZE, seeds, sized } from '../size.ts'

const MAILS_BY_SMTP = sized({ ci: 1_000, full: 5_000 })
const MAILS_BY_RESEND = sized({ ci: 1_000, full: 10_000 })
/** Campaigns, each of which is one call. */
const CALLS = sized({ ci: 20, full: 100 })
const LARGE = 5_000

const LIES_BY_SMTP = { 'drop-at-data': 0.1, 'drop-at-dot': 0.05, 'accept-then-drop': 0.05 }
const LIES_BY_HTTP = { fail: 0.1, 'accept-then-fail': 0.05, 'accept-then-drop': 0.05, 'refuse-for-now': 0.05 }
/**
 * The same shares without chance, so that each kind of answer occurs in a few calls. And never five doubtful ones in a
 * row: these are an outage to whoever sends, who then waits longer than this size has time for.
 */
const PLAN_BY_SMTP: readonly (Lie | null)[] = Array.from({ length: 2 * MAILS_BY_SMTP }, (_, index) => {
  const place = index % 100
  if (place % 3 !== 0 || place >= 60) return null
  if (place % 6 === 0) return 'drop-at-data'
  return place % 12 === 3 ? 'drop-at-dot' : 'accept-then-drop'
})
const PLAN: readonly (Lie | null)[] = Array.from({ length: CALLS }, (_, index) => {
  if (index === 2 || index === 10) return 'fail'
  if (index === 5) return 'accept-then-fail'
  if (index === 8) return 'accept-then-drop'
  return index === 13 ? 'refuse-for-now' : null
})

type Case = {
  promise: string
  cast: Cast
  lies: Behaviour['lies']
  plan?: readonly (Lie | null)[]
  send: (client: Client) => Promise<Campaign[]>
  /** After these nobody can know; where a repetition is recognised, after none. */
  doubtful: ReadonlySet<Lie>
  least: number
}

const CASES: Case[] = [
  {
    promise: 'by SMTP, and exactly those are unconfirmed of whom nobody can know',
    cast: BY_SMTP,
    lies: SIZE === 'ci' ? {} : LIES_BY_SMTP,
    plan: SIZE === 'ci' ? PLAN_BY_SMTP : [],
    send: async (client) => [await client.send('lied', MAILS_BY_SMTP)],
    doubtful: AMBIGUOUS,
    least: MAILS_BY_SMTP / 20,
  },
  {
    promise: 'as Resend, and nobody is unconfirmed',
    cast: BY_RESEND,
    // By chance only where the stage is its own: on a shared one the calls of those before count too.
    lies: SIZE === 'ci' ? {} : { fail: 0.1, 'accept-then-fail': 0.05, 'accept-then-drop': 0.05 },
    plan: SIZE === 'ci' ? PLAN : [],
    send: async (client) => [await client.send('lied', MAILS_BY_RESEND)],
    doubtful: new Set(),
    least: 0,
  },
  {
    promise: 'to users with an account of their own, and exactly the mails of doubtful calls are unconfirmed',
    cast: BY_OWN_ACCOUNTS,
    lies: SIZE === 'ci' ? {} : LIES_BY_HTTP,
    plan: SIZE === 'ci' ? PLAN : [],
    send: sendInCalls,
    // A provider that answers 500 may have taken the mail or not, and nobody could tell a repetition from a second mail.
    doubtful: new Set([...AMBIGUOUS, 'fail']),
    least: (CALLS / 10) * MAILS_A_CALL,
  },
]

/** At full size also calls as large as they may be. */
async function sendInCalls(client: Client): Promise<Campaign[]> {
  const small = await client.sendMany('lied', CALLS, MAILS_A_CALL)
  return SIZE === 'ci' ? small : [...small, await client.send('lied-large', LARGE)]
}

describe.concurrent('R10 the provider lies', () => {
  for (const seed of seeds({ ci: 1, full: 3 }))
    for (const one of CASES)
      it(`${one.promise} (seed ${seed})`, furtherWay(400, one.cast === BY_OWN_ACCOUNTS), () =>
        playWith(one.cast, (stage) =>
          eachParty(stage, `R10 seed ${seed}`, (party, demands) => play(one, party, demands, seed)),
        ),
      )
})

async function play(one: Case, party: Scene, demands: Demands, seed: number): Promise<void> {
  const { ledger, client } = party
  const earlier = (await ledger.entries()).length
  await ledger.behave({ lies: one.lies, seed })
  await ledger.plan(one.plan ?? [])
  const campaigns = await one.send(client)
  // The lies go on to the last mail: this is how long the sending takes, not how long after a fault.
  for (const { id } of campaigns) await client.settled(id, 5 * SETTLE_MS)

  const lies = (await ledger.entries()).slice(earlier).filter((entry) => entry.kind === 'lie')
  const doubtful = new Set(lies.flatMap(({ lie, to }) => (one.doubtful.has(lie) ? [to] : [])))
  demands.atLeast('mails that were lied about', 1, lies.length)
  demands.atLeast('of which nobody can know', one.least, doubtful.size)
  const deliveries = await audit(party, campaigns, demands, { unknown: doubtful.size })
  const unknown = new Set(deliveries.filter(({ state }) => state === 'unknown').map(({ address }) => address))
  demands.none(
    'unconfirmed without need',
    [...unknown].filter((address) => !doubtful.has(address)),
  )
  demands.none(
    'ambiguous, and not unconfirmed',
    [...doubtful].filter((address) => !unknown.has(address)),
  )
}
