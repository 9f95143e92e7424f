import { expect, it } from 'vitest'
import { asProbe, fenceOf, makeCalls, orderAfter } from './calls.ts'
import type { ClaimedDelivery } from './store/claims.ts'

const delivery = (seq: number, parts: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  seq,
  address: `r${seq}@x.test`,
  name: '',
  attempts: 0,
  callSeq: null,
  callSize: null,
  inFlightMs: 0,
  wasTurnedBack: false,
  ...parts,
})
const doubtful = (seqs: readonly number[], callSize = seqs.length, inFlightMs = 5_000): ClaimedDelivery[] =>
  seqs.map((seq) => delivery(seq, { attempts: 1, callSeq: seqs[0] ?? 0, callSize, inFlightMs }))
const seqsOf = (calls: readonly { deliveries: readonly ClaimedDelivery[] }[]): number[][] =>
  calls.map(({ deliveries }) => deliveries.map(({ seq }) => seq))

const HUNDREDS = { batchMax: 3, repeatableMs: 60_000 }

it('makes calls as large as the provider takes, in order', () => {
  const { calls, hopeless } = makeCalls(
    [1, 2, 3, 4, 5, 6, 7].map((seq) => delivery(seq)),
    HUNDREDS,
  )
  expect(seqsOf(calls)).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  expect(calls.every(({ isRepeat }) => !isRepeat)).toBe(true)
  expect(hopeless).toEqual([])
})

it('repeats a doubtful call exactly as it was, and first, whatever else is there', () => {
  const { calls } = makeCalls([delivery(1), ...doubtful([2, 5]), delivery(3), delivery(4)], HUNDREDS)
  expect(calls.map(({ isRepeat }) => isRepeat)).toEqual([true, false])
  expect(seqsOf(calls)).toEqual([
    [2, 5],
    [1, 3, 4],
  ])
})

it('keeps two doubtful calls apart', () => {
  const { calls } = makeCalls([...doubtful([1, 2]), ...doubtful([3, 4])], HUNDREDS)
  expect(seqsOf(calls)).toEqual([
    [1, 2],
    [3, 4],
  ])
})

it('calls nobody again of a call that is no longer whole: the provider would take it for a new one', () => {
  const { calls, hopeless } = makeCalls(doubtful([1, 2], 3), HUNDREDS)
  expect(calls).toEqual([])
  expect(hopeless).toMatchObject([
    { seq: 1, attempts: 1, state: 'u', waitMs: null },
    { seq: 2, attempts: 1, state: 'u', waitMs: null },
  ])
})

it('calls nobody again once the provider has forgotten the first call', () => {
  const { calls, hopeless } = makeCalls(doubtful([1, 2], 2, 60_000), HUNDREDS)
  expect(calls).toEqual([])
  expect(hopeless.map(({ state }) => state)).toEqual(['u', 'u'])
  expect(hopeless[0]?.reason).toMatch(/may or may not/)
})

it('calls nobody again of a call that is larger than one may be by now: it could only be made in other pieces', () => {
  const { calls, hopeless } = makeCalls(doubtful([1, 2, 3, 4]), HUNDREDS)
  expect(calls).toEqual([])
  expect(hopeless.map(({ state }) => state)).toEqual(['u', 'u', 'u', 'u'])
})

it('never repeats where a repetition is a second mail', () => {
  const { calls } = makeCalls(doubtful([1], 1, 0), { batchMax: 1, repeatableMs: 0 })
  expect(calls).toEqual([])
})

it('marks all deliveries of a call with its first one and its size', () => {
  const { calls } = makeCalls([delivery(4), delivery(5)], HUNDREDS)
  expect(calls.flatMap(fenceOf)).toEqual([
    { seq: 4, callSeq: 4, callSize: 2, isRepeat: false },
    { seq: 5, callSeq: 4, callSize: 2, isRepeat: false },
  ])
})

it('keeps the mark of a call that is repeated', () => {
  const { calls } = makeCalls(
    [2, 3].map((seq) => delivery(seq, { callSeq: 1, callSize: 2, inFlightMs: 1 })),
    HUNDREDS,
  )
  expect(calls.flatMap(fenceOf)).toEqual([
    { seq: 2, callSeq: 1, callSize: 2, isRepeat: true },
    { seq: 3, callSeq: 1, callSize: 2, isRepeat: true },
  ])
})

it('makes calls in any order where the provider was out of order, of those whom it has turned back last', () => {
  const upTo = Array.from({ length: 40 }, (_, index) => index + 1)
  const window = upTo.map((seq) => delivery(seq, { wasTurnedBack: seq <= 20 }))
  const orders = [1, 2, 3].map(() => {
    const { calls } = makeCalls(window, { batchMax: 1, repeatableMs: 0, order: 'unharmed-first' })
    return seqsOf(calls).flat()
  })
  for (const seqs of orders) {
    expect(seqs.slice(0, 20).every((seq) => seq > 20)).toBe(true)
    expect(seqs.toSorted((a, b) => a - b)).toEqual(upTo)
  }
  expect(new Set(orders.map(String)).size, 'no two alike').toBe(3)
})

it('keeps those of a call in their order, and a call that is repeated before all others, whatever the order', () => {
  const window = [delivery(1), delivery(2), ...doubtful([3, 4]), delivery(5), delivery(6)]
  const { calls } = makeCalls(window, { ...HUNDREDS, order: 'any' })
  expect(seqsOf(calls)[0]).toEqual([3, 4])
  expect(seqsOf(calls).slice(1).toSorted()).toEqual([[1, 2, 5], [6]])
})

it('shows by a part of a call whether the provider is back, and by a repeated one only as a whole', () => {
  const { calls } = makeCalls(
    [1, 2, 3].map((seq) => delivery(seq)),
    HUNDREDS,
  )
  expect(seqsOf(asProbe(calls, 1))).toEqual([[1], [2, 3]])
  const repeated = makeCalls(doubtful([1, 2]), HUNDREDS)
  expect(seqsOf(asProbe(repeated.calls, 1))).toEqual([[1, 2]])
})

it('lets those go first who were not turned back, three times in a row, and then anybody', () => {
  const orders = [0, 1, 2, 3, 4, 5].map((trips) => orderAfter(trips, false))
  expect(orders).toEqual([
    'listed',
    'unharmed-first',
    'unharmed-first',
    'unharmed-first',
    'any',
    'unharmed-first',
  ])
})

it('puts nobody new in doubt for those who are, where these can be asked about again', () => {
  expect([0, 1, 2].map((trips) => orderAfter(trips, true))).toEqual(['listed', 'any', 'any'])
})
