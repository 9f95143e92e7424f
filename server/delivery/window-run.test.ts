import { describe, expect, it } from 'vitest'
import { aLetter } from '../test/simulators/a-mail.ts'
import { type Call, makeCalls } from './calls.ts'
import { notBegun, settleCall } from './settlement.ts'
import type { ClaimedDelivery } from './store/claims.ts'
import type { Settlement, StepResult, ToFence, WindowKey } from './store/steps.ts'
import { createWindowRun, type FencedCall } from './window-run.ts'

const KEY = { id: '1', campaignId: 'c', token: 't' }
const CAMPAIGN = { id: 'c', userId: 'u', letter: aLetter() }
const RULES = { retryMs: 3_600_000, canRepeat: false, random: () => 0.5 }

const fresh = (count: number): ClaimedDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    address: `r${index + 1}@x.test`,
    name: '',
    attempts: 0,
    callSeq: null,
    callSize: null,
    inFlightMs: 0,
    wasTurnedBack: false,
  }))
const doubtful = (count: number): ClaimedDelivery[] =>
  fresh(count).map((one) => ({ ...one, attempts: 1, callSeq: 1, callSize: count, inFlightMs: 10 }))

/** A window on a store that does what a test says; by default everything is put in flight. */
function aWindow(deliveries: readonly ClaimedDelivery[], batchMax = 1) {
  const steps: {
    settlements: readonly Settlement[]
    toFence: readonly ToFence[]
    key: WindowKey
    returned: readonly number[] | undefined
  }[] = []
  const answers: (Partial<StepResult> | Error)[] = []
  const run = createWindowRun({
    key: KEY,
    campaign: CAMPAIGN,
    ...makeCalls(deliveries, { batchMax, repeatableMs: 60_000 }),
    claimedAt: 1_000,
    async step(key, settlements, toFence, { returned }) {
      steps.push({ key, settlements, toFence, returned })
      const answer = answers.shift() ?? {}
      if (answer instanceof Error) throw answer
      return { holds: true, maySend: true, fenced: new Set(toFence.map(({ seq }) => seq)), ...answer }
    },
    replaceToken: async () => {},
    openWaiting: async () => true,
  })
  return { run, steps, answerNext: (...next: typeof answers) => void answers.push(...next) }
}

const accept = ({ call }: FencedCall): Settlement[] =>
  settleCall(
    call.deliveries,
    call.deliveries.map(({ seq }) => ({ kind: 'accepted', id: `id-${seq}` })),
    RULES,
  )
const seqsOf = (calls: readonly { call: Call }[]): number[][] =>
  calls.map(({ call }) => call.deliveries.map(({ seq }) => seq))

describe('an ordinary window', () => {
  it('puts in flight what it may, whole calls only, and is empty once all is written', async () => {
    const { run, steps } = aWindow(fresh(5), 2)
    const first = await run.step(3, 2_000)
    expect(seqsOf(first)).toEqual([[1, 2]])
    expect(run.waiting()).toBe(3)
    for (const call of first) run.write(call.call, accept(call))
    const rest = await run.step(10, 2_000)
    expect(seqsOf(rest)).toEqual([[3, 4], [5]])
    expect(steps[1]?.settlements.map(({ seq, state }) => `${seq}${state}`)).toEqual(['1a', '2a'])
    for (const call of rest) run.write(call.call, accept(call))
    expect(run.isEmpty()).toBe(false)
    await run.step(0, 2_000)
    expect(run.isEmpty()).toBe(true)
  })

  it('calls only those whom the database has put in flight', async () => {
    const { run, steps, answerNext } = aWindow(fresh(3), 3)
    answerNext({ fenced: new Set([1, 3]) })
    expect(await run.step(3, 2_000)).toEqual([])
    expect(await run.step(0, 2_000)).toEqual([])
    expect(seqsOf(await run.step(3, 2_000))).toEqual([[1, 3]])
    expect(steps[2]?.toFence.map(({ callSize }) => callSize)).toEqual([2, 2])
  })

  it('brings back who was not called after all, and only once that is written', async () => {
    const { run } = aWindow(fresh(1))
    const [call] = await run.step(1, 2_000)
    if (!call) throw new Error('no call')
    run.write(
      call.call,
      call.call.deliveries.map((one) => notBegun(one)),
    )
    expect(run.nextSize()).toBe(0)
    expect(await run.step(1, 2_000)).toEqual([])
    expect(run.waiting()).toBe(1)
    expect(seqsOf(await run.step(1, 2_000))).toEqual([[1]])
  })

  it('writes at once what can no longer be settled', async () => {
    const { run, steps } = aWindow(doubtful(2).slice(0, 1))
    expect(run.unwritten()).toBe(1)
    await run.step(5, 2_000)
    expect(steps[0]?.settlements).toMatchObject([{ seq: 1, attempts: 1, state: 'u' }])
    expect(run.isEmpty()).toBe(true)
  })
})

describe('a call that never began', () => {
  it('is put in flight again, with a word about who comes back: they may have left meanwhile', async () => {
    const { run, steps, answerNext } = aWindow(fresh(4), 2)
    const [first] = await run.step(2, 2_000)
    if (!first) throw new Error('no call')
    run.write(
      first.call,
      first.call.deliveries.map((one) => notBegun(one)),
    )
    await run.step(0, 2_000)
    answerNext({ fenced: new Set([1, 3, 4]) })
    expect(seqsOf(await run.step(4, 2_000))).toEqual([[3, 4]])
    expect(steps.map(({ returned }) => returned)).toEqual([[], [], [1, 2]])
    await run.step(0, 2_000)
    expect(seqsOf(await run.step(4, 2_000))).toEqual([[1]])
    expect(run.waiting()).toBe(0)
  })
})

describe('a step whose answer was lost', () => {
  it('calls nobody it may have put in flight, takes them back first, and calls them later once', async () => {
    const { run, steps, answerNext } = aWindow(fresh(2), 2)
    answerNext(new Error('Connection terminated'))
    await expect(run.step(2, 2_000)).rejects.toThrow('Connection terminated')
    expect(run.isStepping()).toBe(false)
    expect(run.isEmpty()).toBe(false)
    // The next step must not put anybody in flight of whom it is not written yet that they are back.
    expect(await run.step(2, 2_000)).toEqual([])
    expect(steps[1]).toMatchObject({
      settlements: [
        { seq: 1, attempts: 1, state: 'q', wasTry: false },
        { seq: 2, attempts: 1, state: 'q', wasTry: false },
      ],
      toFence: [],
    })
    expect(seqsOf(await run.step(2, 2_000))).toEqual([[1, 2]])
    expect(steps.map(({ returned }) => returned)).toEqual([[], [], [1, 2]])
    expect(run.waiting()).toBe(0)
  })

  it('writes the outcomes again, in the same words, and under another token', async () => {
    const { run, steps, answerNext } = aWindow(fresh(2))
    const [first] = await run.step(1, 2_000)
    if (!first) throw new Error('no call')
    run.write(first.call, accept(first))
    answerNext(new Error('Connection terminated'))
    await expect(run.step(0, 2_000)).rejects.toThrow()
    expect(run.unwritten()).toBe(1)
    await run.step(0, 2_000)
    expect(steps[2]?.settlements).toEqual(steps[1]?.settlements)
    expect(run.unwritten()).toBe(0)
    await run.step(0, 2_000)
    const tokens = steps.map(({ key }) => key.token)
    expect(tokens).toEqual([KEY.token, KEY.token, tokens[2], tokens[2]])
    expect(tokens[2]).not.toBe(KEY.token)
  })

  it('keeps a repeated call in flight and whole', async () => {
    const { run, steps, answerNext } = aWindow(doubtful(2), 2)
    answerNext(new Error('Connection terminated'))
    await expect(run.step(2, 2_000)).rejects.toThrow()
    await run.step(0, 2_000)
    expect(steps[1]?.settlements).toMatchObject([
      { seq: 1, attempts: 2, state: 'i', wasTry: false },
      { seq: 2, attempts: 2, state: 'i', wasTry: false },
    ])
    const again = await run.step(2, 2_000)
    expect(again.map(({ call }) => call.isRepeat)).toEqual([true])
    expect(seqsOf(again)).toEqual([[1, 2]])
  })

  it('adds up after any number of failures', async () => {
    const { run, answerNext } = aWindow(fresh(4))
    for (let round = 0; round < 5; round++) {
      answerNext(new Error('away'))
      await run.step(4, 2_000).catch(() => {})
    }
    await run.step(0, 2_000)
    expect(run.waiting()).toBe(4)
    expect((await run.step(4, 2_000)).length).toBe(4)
  })
})

describe('a repeated call of which somebody is gone', () => {
  it('is not made: it would be another call, and another mail to the rest', async () => {
    const { run, steps, answerNext } = aWindow(doubtful(3), 3)
    answerNext({ fenced: new Set([1, 3]) })
    expect(await run.step(3, 2_000)).toEqual([])
    await run.step(0, 2_000)
    expect(steps[1]?.settlements).toMatchObject([
      { seq: 1, attempts: 2, state: 'u' },
      { seq: 3, attempts: 2, state: 'u' },
    ])
    expect(run.isEmpty()).toBe(true)
  })
})

describe('a lease', () => {
  it('counts from the moment it was asked for, and is over on our own clock', () => {
    const { run } = aWindow(fresh(1))
    expect(run.isLeased(10_999)).toBe(true)
    expect(run.isLeased(11_000)).toBe(false)
    run.renewed(11_000)
    expect(run.isLeased(20_999)).toBe(true)
  })

  it('that is lost stops everything: no call, and never again a lease', async () => {
    const { run, answerNext } = aWindow(fresh(2))
    answerNext({ holds: false, maySend: false, fenced: new Set() })
    expect(await run.step(1, 2_000)).toEqual([])
    expect(run.isLost()).toBe(true)
    expect(run.isHalted()).toBe(true)
    run.renewed(3_000)
    expect(run.isLeased(3_001)).toBe(false)
  })
})

describe('halting', () => {
  it('puts nobody else in flight, yet writes what comes in', async () => {
    const { run, steps, answerNext } = aWindow(fresh(3))
    const [first] = await run.step(1, 2_000)
    if (!first) throw new Error('no call')
    answerNext({ maySend: false, fenced: new Set() })
    await run.step(1, 2_000)
    run.write(first.call, accept(first))
    expect(run.isQuiet()).toBe(false)
    expect(await run.step(5, 2_000)).toEqual([])
    expect(steps[2]).toMatchObject({ settlements: [{ seq: 1, state: 'a' }], toFence: [] })
    expect(run.isQuiet()).toBe(true)
    expect(run.isEmpty()).toBe(false)
    expect(run.waiting()).toBe(2)
  })

  it('follows from a campaign that may not send any more; what was asked for stays in the window', async () => {
    const { run, answerNext } = aWindow(fresh(3))
    answerNext({ maySend: false, fenced: new Set() })
    expect(await run.step(2, 2_000)).toEqual([])
    expect(run.isHalted()).toBe(true)
    expect(run.isLost()).toBe(false)
    expect(run.waiting()).toBe(3)
    expect(run.isQuiet()).toBe(true)
  })
})
