import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { machineNow } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { BY_HTTP, BY_OWN_ACCOUNTS, BY_SMTP } from '../casts.ts'
import type { Campaign, Client } from '../client.ts'
import type { Demands } from '../demands.ts'
import { eachParty, type Scene } from '../each-party.ts'
import { IN_HAND_BY_SMTP, MAILS_A_CALL, SETTLE_MS, secondsSince } from '../figures.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Behaviour, LedgerKind } from '../ledger/protocol.ts'
import { CALLS_UNDER_WAY, type OwnKind } from '../own-accounts.ts'
import { furtherWay, SIZE, sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

/** Half of it refused connections, half of it a provider that answers only that it is out of order. */
const SECONDS = sized({ ci: 13, full: 120, long: 600 })
const RECIPIENTS = sized({ ci: 500, full: 3_000 })
/** Campaigns, each of which is one call. */
const CALLS = sized({ ci: 24, full: 100 })
/** The doubtful answers after which calls stop. */
const TRIP = 5

const callsOf = (kind: OwnKind): number => (CALLS_UNDER_WAY[kind] + TRIP) * MAILS_A_CALL
const UNKNOWN: Record<LedgerKind, number> = {
  smtp: IN_HAND_BY_SMTP + TRIP,
  resend: 0,
  sendgrid: callsOf('sendgrid'),
  mailgun: callsOf('mailgun'),
  ses: callsOf('ses'),
}

type Outage = {
  /** Slow enough that the outage finds most of the mails unsent. */
  delayMs: number
  /** How the second half of the outage shows. */
  failing: Behaviour['state']
  send: (client: Client) => Promise<Campaign[]>
}

const one = async (client: Client) => [await client.send('outage', RECIPIENTS)]
const OF_OWN: Outage = {
  delayMs: 400,
  failing: 'failing',
  send: (client) => client.sendMany('outage', CALLS, MAILS_A_CALL),
}
const OUTAGES: Record<LedgerKind, Outage> = {
  smtp: { delayMs: 50, failing: 'failing', send: one },
  resend: { delayMs: 50, failing: 'unable', send: one },
  sendgrid: OF_OWN,
  mailgun: OF_OWN,
  ses: OF_OWN,
}

describe.concurrent('R11 the provider is down', () => {
  for (const [name, cast] of Object.entries({ smtp: BY_SMTP, ...BY_HTTP }))
    it(
      `and the campaign waits, says why, and goes on by itself (${name})`,
      furtherWay(900, cast !== BY_SMTP),
      async () => {
        await using stage = await aStage({ ...cast, together: true })
        await eachParty(stage, 'R11', play)
      },
    )
})

describe.skipIf(SIZE === 'ci')('R11 the provider fails every mail, while it answers questions', () => {
  it('and a probe puts one mail at risk', probes, timeLimit(120))
})

async function probes(): Promise<void> {
  await using stage = await aStage({ ...BY_OWN_ACCOUNTS, together: true })
  await eachParty(stage, 'R11 probes', async ({ ledger, client }, demands) => {
    await ledger.behave({ state: 'unable' })
    const campaigns = await client.sendMany('probe', CALLS, MAILS_A_CALL)
    const last = campaigns.at(-1)?.id ?? ''
    await until('calls have stopped', async () => (await client.look(last))?.state === 'paused')
    const [before, calls] = [await sumOf(client, campaigns, 'unknown'), await callsTo(ledger)]
    demands.atMost('unconfirmed until calls stop', UNKNOWN[ledger.kind], before)
    await until('a probe was made', async () => (await callsTo(ledger)) > calls)
    await ledger.behave({ state: 'up' })
    for (const { id } of campaigns) await client.settled(id, 2 * SETTLE_MS)
    const risked = (await sumOf(client, campaigns, 'unknown')) - before
    demands.atMost('mails of a probe', 1, risked / ((await failedCallsTo(ledger)) - calls))
  })
}

async function play(party: Scene, demands: Demands): Promise<void> {
  const { ledger, client } = party
  const { delayMs, failing, send } = OUTAGES[ledger.kind]
  await ledger.behave({ delayMs })
  const flowing = (await ledger.report()).accepted
  const campaigns = await send(client)
  await until('mail flows', async () => (await ledger.report()).accepted > flowing)

  await ledger.behave({ state: 'down' })
  const down = machineNow()
  const last = campaigns.at(-1)?.id ?? ''
  let reason: string | null = null
  await until('the campaign says why', async () => {
    const detail = await client.look(last)
    if (detail?.state === 'paused') reason = detail.pausedReason
    return reason !== null
  })
  demands.atMost('the reason is shown', 10, secondsSince(down), 's')
  demands.note('the reason', reason ?? '')
  await sleep(Math.max(0, (SECONDS / 2 - secondsSince(down)) * 1000))
  await ledger.behave({ state: failing })
  await sleep((SECONDS / 2) * 1000)
  demands.exactly('failed meanwhile', 0, await sumOf(client, campaigns, 'failed'))
  demands.note('waiting meanwhile', await sumOf(client, campaigns, 'queued'))

  const { accepted } = await ledger.report()
  await ledger.behave({ state: 'up', delayMs: Math.min(delayMs, 50) })
  const up = machineNow()
  await until('mail flows again', async () => (await ledger.report()).accepted > accepted, SETTLE_MS + 30_000)
  demands.atMost('resumed', 60, secondsSince(up), 's')
  for (const { id } of campaigns) {
    const { state } = await client.settled(id, SETTLE_MS)
    if (state !== 'done') demands.exactly('at the end', 'done', state)
  }
  await audit(party, campaigns, demands, { unknown: UNKNOWN[ledger.kind] })
}

const sendings = async ({ entries }: Ledger) =>
  (await entries()).filter((entry) => entry.kind === 'call').filter(({ isSending }) => isSending)
const callsTo = async (ledger: Ledger): Promise<number> => (await sendings(ledger)).length
const failedCallsTo = async (ledger: Ledger): Promise<number> =>
  (await sendings(ledger)).filter(({ status }) => status === 500).length

async function sumOf(
  client: Client,
  campaigns: readonly Campaign[],
  state: 'failed' | 'queued' | 'unknown',
): Promise<number> {
  const details = await Promise.all(campaigns.map(({ id }) => client.look(id)))
  return details.reduce((sum, detail) => sum + (detail?.counts[state] ?? Number.NaN), 0)
}
