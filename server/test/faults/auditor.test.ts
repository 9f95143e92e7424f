import { expect, it } from 'vitest'
import type { DeliveryState } from '../../../contract/campaigns.ts'
import { audit } from './auditor.ts'
import type { Client, Detail } from './client.ts'
import { demandsOf } from './demands.ts'
import type { Ledger } from './ledger/ledger.ts'

type Shown = { address: string; state: DeliveryState; reason?: string | null }

const IDS = { ann: 'ann@x.test', bob: 'bob@x.test', cid: 'cid@x.test' }
const idOf = (address: string) => `<${address}>`
const ALL_WELL: Shown[] = Object.values(IDS).map((address) => ({ address, state: 'accepted' }))

/** Audits a campaign to ann, bob and cid, of which the API shows one thing and the ledger holds another. */
async function audited(
  shown: readonly Shown[],
  taken: readonly { to: string; messageId?: string }[],
  change: { counts?: Partial<Detail['counts']>; csv?: readonly Shown[] } = {},
): Promise<string> {
  const counts: Detail['counts'] = {
    queued: 0,
    inFlight: 0,
    accepted: 0,
    failed: 0,
    unknown: 0,
    suppressed: 0,
    cancelled: 0,
  }
  for (const { state } of shown) counts[state]++
  Object.assign(counts, change.counts)
  const detail: Detail = {
    id: 'c',
    state: 'done',
    status: 'sent',
    pausedReason: null,
    recipientCount: 3,
    successfulCount: counts.accepted,
    unconfirmedCount: counts.unknown,
    deliveredCount: 0,
    bouncedCount: 0,
    complainedCount: 0,
    openedCount: 0,
    counts,
  }
  const items = shown.map(({ address, state, reason = null }) => ({
    address,
    state,
    reason,
    messageId: idOf(address),
  }))
  const csv = ['address,state', ...(change.csv ?? shown).map(({ address, state }) => `"${address}",${state}`)]
  const answers: Record<string, string> = {
    '/api/email-history': JSON.stringify([detail]),
    '/api/email-history/c/deliveries?limit=500': JSON.stringify({ items, nextCursor: null }),
    '/api/email-history/c/deliveries.csv': csv.join('\r\n'),
  }
  const client = {
    call: async (_method: string, path: string) => ({
      status: 200,
      text: answers[path] ?? '',
      headers: new Headers(),
    }),
    look: async () => detail,
  }
  const ledger = {
    kind: 'smtp',
    acceptances: async () => taken.map(({ to, messageId = idOf(to) }) => ({ to, messageId })),
  }
  const demands = demandsOf('audit')
  // Only what the auditor asks for is played here.
  const scene = {
    client: client as unknown as Client,
    ledger: ledger as unknown as Ledger,
    databaseUrl: null,
  }
  await audit(scene, [{ id: 'c', recipients: Object.values(IDS) }], demands, { unknown: 0 })
  try {
    demands.hold()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

const TAKEN = Object.values(IDS).map((to) => ({ to }))
const with1 = (state: DeliveryState, reason: string | null = null): Shown[] => [
  ...ALL_WELL.slice(1),
  { address: IDS.ann, state, reason },
]

it('has nothing to say when the API and the ledger agree', async () => {
  expect(await audited(ALL_WELL, TAKEN)).toBe('')
})

it.each([
  ['I1 accepted twice', ALL_WELL, [...TAKEN, { to: IDS.ann }], {}],
  ['I2 without an end', with1('queued'), TAKEN.slice(1), {}],
  ['I2 without an end', with1('unknown'), TAKEN, {}],
  [
    'I2 without an end',
    [...ALL_WELL.slice(1), { address: 'eve@x.test', state: 'accepted' as const }],
    TAKEN,
    {},
  ],
  ['I3 shown as sent, not in the ledger', ALL_WELL, TAKEN.slice(1), {}],
  ['I3 in the ledger, not shown as sent or unconfirmed', with1('failed', '550 No'), TAKEN, {}],
  ['I4 unconfirmed', with1('unknown', 'silence'), TAKEN, {}],
  ['I6 counts that differ', ALL_WELL, TAKEN, { counts: { accepted: 4 } }],
  ['I6 counts that differ', ALL_WELL, TAKEN, { csv: ALL_WELL.slice(1) }],
  ['Message-IDs that differ', ALL_WELL, [...TAKEN.slice(1), { to: IDS.ann, messageId: '<other>' }], {}],
] as const)('notices: %s', async (what, shown, taken, change) => {
  expect(await audited(shown, taken, change)).toContain(what)
})
