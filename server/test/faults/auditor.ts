import { z } from 'zod'
import { type DeliveryCounts, NEXT_CURSOR_HEADER } from '../../../contract/campaigns.ts'
import { type Campaign, type Client, type Detail, expectOk } from './client.ts'
import { countersThatDiffer } from './counters.ts'
import { type Delivery, readCsv, readPages, tally } from './deliveries.ts'
import type { Demands } from './demands.ts'
import type { Ledger } from './ledger/ledger.ts'

/** The database is null where only Postrider itself knows the way to it, or somebody else recounts it. */
type Scene = { client: Client; ledger: Ledger; databaseUrl: string | null }

type Allowed = {
  /** I4: how many may stay unconfirmed, over all campaigns. */
  unknown: number
  /** Recipients may also end as cancelled, or as failed because the ledger refused some. */
  ends?: readonly ('cancelled' | 'failed')[]
}

/**
 * The invariants I1 to I4 and I6 (docs/promises.md), from outside: what the API shows against what the provider wrote
 * down. Answers what the API says of every recipient.
 */
export async function audit(
  scene: Scene,
  campaigns: readonly Campaign[],
  demands: Demands,
  allowed: Allowed,
): Promise<Delivery[]> {
  const { client, ledger } = scene
  const taken = await takenBy(ledger)
  const recipients = campaigns.flatMap((campaign) => campaign.recipients)
  const history = await readHistory(client)
  const deliveries: Delivery[] = []
  const differing: string[] = []
  for (const campaign of campaigns) {
    const detail = await client.look(campaign.id)
    if (!detail) throw new Error('the API does not show a campaign that it took')
    const shown = await readPages(client, campaign.id)
    deliveries.push(...shown)
    const entry = history.find(({ id }) => id === campaign.id)
    differing.push(...(await differingCounts(client, campaign, { detail, entry, deliveries: shown })))
  }
  const stateOf = new Map(deliveries.map(({ address, state }) => [address, state]))

  demands.none(
    'I1 accepted twice',
    recipients.filter((address) => (taken.get(address)?.length ?? 0) > 1),
  )
  demands.none('I2 without an end', withoutEnd(recipients, deliveries, allowed))
  demands.none(
    'I3 shown as sent, not in the ledger',
    deliveries.filter(({ address, state }) => state === 'accepted' && !taken.has(address)).map(nameOf),
  )
  demands.none(
    'I3 in the ledger, not shown as sent or unconfirmed',
    recipients.filter(
      (address) => taken.has(address) && !['accepted', 'unknown'].includes(stateOf.get(address) ?? ''),
    ),
  )
  demands.atMost('I4 unconfirmed', allowed.unknown, tally(deliveries).unknown)
  for (const [reason, count] of reasonsOf(deliveries)) demands.note(`${count} of them`, reason)
  demands.none('I6 counts that differ', differing)
  if (scene.databaseUrl !== null)
    demands.none('I6 counters that differ from the deliveries', await countersThatDiffer(scene.databaseUrl))
  demands.none('Message-IDs that differ', differingIds(ledger, taken, deliveries))
  return deliveries
}

type Taken = ReadonlyMap<string, readonly string[]>

/** The Message-IDs under which each recipient was taken, one for each time. */
async function takenBy(ledger: Ledger): Promise<Taken> {
  const taken = new Map<string, string[]>()
  for (const { to, messageId } of await ledger.acceptances())
    taken.set(to, [...(taken.get(to) ?? []), messageId])
  return taken
}

/** Why recipients are unconfirmed, and how many for each reason. */
function reasonsOf(deliveries: readonly Delivery[]): Map<string, number> {
  const reasons = new Map<string, number>()
  for (const { state, reason } of deliveries)
    if (state === 'unknown') reasons.set(reason ?? 'no reason', (reasons.get(reason ?? 'no reason') ?? 0) + 1)
  return reasons
}

const nameOf = ({ address, state }: Delivery): string => `${address} (${state})`

function withoutEnd(
  recipients: readonly string[],
  deliveries: readonly Delivery[],
  { ends = [] }: Allowed,
): string[] {
  const isRecipient = new Set(recipients)
  const isEnd = new Set<string>(['accepted', 'unknown', ...ends])
  const times = new Map<string, number>()
  for (const { address } of deliveries) times.set(address, (times.get(address) ?? 0) + 1)
  return [
    ...recipients
      .filter((address) => times.get(address) !== 1)
      .map((address) => `${address} (${times.get(address) ?? 0} times)`),
    ...deliveries.filter(({ address, state }) => !isRecipient.has(address) || !isEnd.has(state)).map(nameOf),
    ...deliveries
      .filter(({ state, reason }) => (state === 'failed' || state === 'unknown') && !reason)
      .map((delivery) => `${nameOf(delivery)} without a reason`),
  ]
}

/** By SMTP the Message-ID is ours, and what the API shows is what went out. Resend writes its own. */
function differingIds(ledger: Ledger, taken: Taken, deliveries: readonly Delivery[]): string[] {
  if (ledger.kind !== 'smtp') return []
  return deliveries
    .filter(({ address, messageId }) => taken.get(address)?.some((id) => id !== messageId))
    .map(({ address, messageId }) => `${address}: ${messageId} shown, ${taken.get(address)?.join(' ')} sent`)
}

const Entry = z.object({
  id: z.string(),
  recipientCount: z.number(),
  successfulCount: z.number(),
  unconfirmedCount: z.number(),
})
type Entry = z.infer<typeof Entry>

/** All campaigns; a page of the list holds a hundred at most. */
async function readHistory(client: Client): Promise<Entry[]> {
  const all: Entry[] = []
  for (let query = ''; ; ) {
    const answer = await client.call('GET', `/api/email-history${query}`)
    all.push(...z.array(Entry).parse(expectOk(answer)))
    const cursor = answer.headers.get(NEXT_CURSOR_HEADER)
    if (cursor === null) return all
    query = `?cursor=${encodeURIComponent(cursor)}`
  }
}

type Shown = { detail: Detail; entry: Entry | undefined; deliveries: readonly Delivery[] }

async function differingCounts(
  client: Client,
  { id, recipients }: Campaign,
  { detail, entry, deliveries }: Shown,
): Promise<string[]> {
  const expected = `${recipients.length} recipients, ${detail.counts.accepted} sent, ${detail.counts.unknown} unconfirmed`
  const counts = inWords(detail.counts)
  const sum = Object.values(detail.counts).reduce((total, count) => total + count, 0)
  const pairs: [string, string, string][] = [
    ['deliveries', inWords(tally(deliveries)), counts],
    ['CSV', inWords(tally(await readCsv(client, id))), counts],
    ['detail', entryInWords(detail), expected],
    ['list', entry ? entryInWords(entry) : 'nothing', expected],
    ['sum of the counts', String(sum), String(recipients.length)],
  ]
  return pairs
    .filter(([, shown, wanted]) => shown !== wanted)
    .map(([where, shown, wanted]) => `${where}: ${shown} instead of ${wanted}`)
}

const entryInWords = ({ recipientCount, successfulCount, unconfirmedCount }: Omit<Entry, 'id'>): string =>
  `${recipientCount} recipients, ${successfulCount} sent, ${unconfirmedCount} unconfirmed`

const inWords = (counts: DeliveryCounts): string =>
  Object.entries(counts)
    .map(([state, count]) => `${state} ${count}`)
    .sort()
    .join(', ')
