import type { Provider } from '../providers/provider.ts'
import type { ClaimedDelivery } from './store/claims.ts'
import type { Settlement, ToFence } from './store/steps.ts'

/** Deliveries that go out together in one call of the provider. */
export type Call = { deliveries: readonly ClaimedDelivery[]; isRepeat: boolean }

type Needs = Pick<Provider, 'batchMax' | 'repeatableMs'> & { order?: Order }

/** How those go out who wait: as they stand in the list, in any order, or in any and whom the provider has turned back last. */
type Order = 'listed' | 'any' | 'unharmed-first'

/** So often in a row those go first who were not turned back; then they may themselves be those that cannot be taken. */
const UNHARMED_IN_A_ROW = 3

/**
 * The order after a provider was found out of order `trips` times in a row. Those who stand together in a list, and those
 * whom it has turned back, may be those that it cannot take: they would show again and again that it is not back. Where
 * calls can be repeated, whom it has turned back may be in doubt, and asking about them puts nobody else there.
 */
export function orderAfter(trips: number, canRepeat: boolean): Order {
  if (trips === 0) return 'listed'
  return canRepeat || trips % (UNHARMED_IN_A_ROW + 1) === 0 ? 'any' : 'unharmed-first'
}

/**
 * Makes calls of what a window holds. A doubtful call is made again exactly as it was; where that is no longer
 * possible, nobody can know any more, and its deliveries are settled so.
 */
export function makeCalls(
  deliveries: readonly ClaimedDelivery[],
  { batchMax, repeatableMs, order = 'listed' }: Needs,
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
    // Not so where the letter is longer than it was, as by a new version: cut into others they would be new calls.
    const fits = members.length <= batchMax
    if (isWhole && isFresh && fits) calls.push({ deliveries: members, isRepeat: true })
    else hopeless.push(...members.map((member) => unknowable(member, member.attempts)))
  }
  return { calls: [...calls, ...inOrder(fresh, batchMax, order)], hopeless }
}

function inOrder(deliveries: readonly ClaimedDelivery[], batchMax: number, order: Order): Call[] {
  if (order === 'listed') return inBatches(deliveries, batchMax)
  if (order === 'any') return shuffled(inBatches(deliveries, batchMax))
  return [false, true].flatMap((wasTurnedBack) =>
    inOrder(
      deliveries.filter((one) => one.wasTurnedBack === wasTurnedBack),
      batchMax,
      'any',
    ),
  )
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
  reason: 'The provider gave no clear answer; it may or may not have taken this mail',
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
