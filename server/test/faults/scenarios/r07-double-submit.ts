import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { z } from 'zod'
import { SendEmailResponse } from '../../../../contract/campaigns.ts'
import { audit } from '../auditor.ts'
import { between, mulberry32 } from '../chance.ts'
import { addresses, type Client, expectOk } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { SETTLE_MS } from '../figures.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const AT_ONCE = 50
const KILLS = sized({ ci: 3, full: 20 })
const RECIPIENTS = sized({ ci: 1_000, full: 5_000 })

describe.concurrent('R7 the same request comes again', () => {
  it('at the same moment or after a crash, and makes one campaign', play, timeLimit(300))
})

async function play(): Promise<void> {
  const demands = demandsOf('R7')
  const chance = mulberry32(7)
  await using stage = await aStage({ ledger: 'smtp' })
  const { client, web } = stage

  const once = addresses('once', 100)
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => client.post(once, { key: 'one' })))
  demands.exactly(`different answers to ${AT_ONCE} at once`, 1, new Set(answers.map(({ text }) => text)).size)
  demands.none(
    'answers other than 200',
    answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`),
  )
  demands.exactly('campaigns made by them', 1, await campaignsOf(client, 'News'))
  const changed = await client.post(addresses('other', 1), { key: 'one' })
  demands.exactly('answer to another body under the same key', 409, changed.status)

  const campaigns = [{ id: idOf(answers[0]), recipients: once }]
  const other: string[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const recipients = addresses(`crash${kill}`, RECIPIENTS)
    const request = { key: `crash${kill}`, subject: `Crash ${kill}` }
    const first = client.post(recipients, request).catch(() => null)
    await sleep(between(chance, 1, 150))
    await web.end('SIGKILL')
    const before = await first
    await web.start()
    const again = await client.post(recipients, request)
    if (before?.status === 200 && before.text !== again.text) other.push(`${before.text} ${again.text}`)
    const made = await campaignsOf(client, request.subject)
    if (made !== 1) other.push(`${made} campaigns`)
    campaigns.push({ id: idOf(again), recipients })
  }
  demands.none(`other than one campaign after ${KILLS} kills in the request, and a second try`, other)
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)
  await audit(stage, campaigns, demands, { unknown: 0 })
  demands.hold()
}

const idOf = (answer: Parameters<typeof expectOk>[0] | undefined): string =>
  answer ? SendEmailResponse.parse(expectOk(answer)).id : ''

async function campaignsOf(client: Client, subject: string): Promise<number> {
  const entries = z
    .array(z.object({ subject: z.string() }))
    .parse(expectOk(await client.call('GET', '/api/email-history')))
  return entries.filter((entry) => entry.subject === subject).length
}
