import type { Provider } from '../providers/provider.ts'
import type { ClaimedDelivery } from './store/claims.ts'
import type { Settlement, ToFence } from './store/steps.ts'

/** Deliveries that go out together in one call of the provider. */
export type Call = { deliveries: readonly ClaimedDelivery[]; isRepeat: boolean }

type Needs = Pick<Provider, 'batchMax' | 'repeatableMs'> & {
  /** The provider was out of order, perhaps by some of these: then they go out in any order, and whom it has turned back last. */
  isDoubted?: boolean
}

/**
 * Makes calls of what a window holds. A doubtful call is made again exactly as it was; where that is no longer
 * possible, nobody can know any more, and its deliveries are settled so.
 */
export function makeCalls(
  deliveries: readonly ClaimedDelivery[],
  { batchMax, repeatableMs, isDoubted = false }: Needs,
): { calls: Call[]; hopeless: Settlement[] } {
  const calls: Call[] = []
  const hopeless: Settlement[] = []
  const fresh = deliveries.filter(({ callSeq }) => callSeq === null)
  const doubtful = Map.groupBy(
    deliveries.filter(({ callSeq }) => callSeq !== null),
    ({ callSeq }) => callSeq,
  )
  for (const members of doubtful.values()) {
    const isWhole = members.every(({ callSize }) => callSize === members.length)
    const isFresh = members.every(({ inFlightMs }) => inFlightMs < repeatableMs)
    if (isWhole && isFresh) calls.push({ deliveries: members, isRepeat: true })
    else hopeless.push(...members.map((member) => unknowable(member, member.attempts)))
  }
  if (!isDoubted) calls.push(...inBatches(fresh, batchMax))
  else
    for (const wasTurnedBack of [false, true]) {
      const group = fresh.filter((one) => one.wasTurnedBack === wasTurnedBack)
      calls.push(...shuffled(inBatches(group, batchMax)))
    }
  return { calls, hopeless }
}

function inBatches(deliveries: readonly ClaimedDelivery[], batchMax: number): Call[] {
  const calls: Call[] = []
  for (let start = 0; start < deliveries.length; start += batchMax)
    calls.push({ deliveries: deliveries.slice(start, start + batchMax), isRepeat: false })
  return calls
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const places = items.map((item) => ({ item, place: Math.random() }))
  return places.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

/** `attempts` as the row has them now: one more than it was claimed with, once it was put in flight. */
export const unknowable = ({ seq }: ClaimedDelivery, attempts: number): Settlement => ({
  seq,
  attempts,
  state: 'u',
  reason: 'The provider gave no clear answer in time; it may or may not have taken this mail',
  providerId: null,
  waitMs: null,
  callSize: null,
  wasTry: true,
})

export function fenceOf({ deliveries, isRepeat }: Call): ToFence[] {
  const [first] = deliveries
  if (!first) return []
  const callSeq = isRepeat ? (first.callSeq ?? first.seq) : first.seq
  return deliveries.map(({ seq }) => ({ seq, callSeq, callSize: deliveries.length, isRepeat }))
}

export const sizeOf = (calls: readonly Call[]): number =>
  calls.reduce((sum, { deliveries }) => sum + deliveries.length, 0)

export const fencedPart = (call: Call, fenced: ReadonlySet<number>): Call => ({
  ...call,
  deliveries: call.deliveries.filter(({ seq }) => fenced.has(seq)),
})

export const partsOf = ({ deliveries, isRepeat }: Call, first: number): Call[] => [
  { deliveries: deliveries.slice(0, first), isRepeat },
  { deliveries: deliveries.slice(first), isRepeat },
]

/** With a call of at most `size` at the front, to see whether the provider is back. One that repeats another stays whole. */
export function asProbe(calls: readonly Call[], size: number): Call[] {
  const [first, ...others] = calls
  if (!first || first.isRepeat || first.deliveries.length <= size) return [...calls]
  return [...partsOf(first, size), ...others]
}
