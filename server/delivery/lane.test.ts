import { afterEach, expect, it, vi } from 'vitest'
import { aLane } from '../test/a-lane.ts'
import { createGate } from '../test/gate.ts'
import { STALE_MS } from './capacity.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('whoever waits for a lane to be empty hears of it, also who asked before a stop did', async () => {
  const gate = createGate()
  gate.shut()
  const called = Promise.withResolvers<void>()
  const { lane, released } = aLane(async () => {
    called.resolve()
    await gate.pass()
    return [{ kind: 'accepted', id: '1' }]
  }, 1)
  await called.promise
  const replaced = lane.retire()
  const stopped = lane.drain(new AbortController().signal)
  gate.open()
  await Promise.all([replaced, stopped])
  expect(released).toEqual([true])
  await lane.drain(new AbortController().signal)
})

it('what waits inside a provider that is replaced comes back, and is not waited for', async () => {
  const [called, recalled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { lane, released } = aLane(
    async () => {
      called.resolve()
      await recalled.promise
      return [{ kind: 'not-begun' }]
    },
    20,
    { recall: recalled.resolve },
  )
  await called.promise
  await lane.retire()
  expect(released).toEqual([false])
})

it('of a provider that is replaced during its outage nothing is left behind', async () => {
  vi.useFakeTimers()
  const { lane, released } = aLane(async () => [{ kind: 'unknown', reason: 'silence' }], 20)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lane.isWatching(), 'its outage is noticed').toBe(true)
  await lane.retire()
  expect(released).toEqual([false])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(vi.getTimerCount()).toBe(0)
})

it('a call comes back in halves where its own requests took too long, and whole where what came before them did', async () => {
  vi.useFakeTimers()
  async function callsWhere(hasBegun: boolean): Promise<number[]> {
    const sizes: number[] = []
    aLane(
      async (_letter, copies, _signal, mayBegin = () => true) => {
        sizes.push(copies.length)
        if (hasBegun) mayBegin()
        if (sizes.length === 1) await new Promise((resolve) => setTimeout(resolve, STALE_MS + 1))
        return copies.map(() => (mayBegin() ? { kind: 'accepted', id: '1' } : { kind: 'not-begun' }))
      },
      50,
      { batchMax: 50 },
    )
    await vi.advanceTimersByTimeAsync(2 * STALE_MS)
    return sizes
  }
  expect(await callsWhere(true)).toEqual([50, 25, 25])
  expect(await callsWhere(false)).toEqual([50, 50])
})

it('a call that was put in flight before the machine was suspended is put in flight anew first', async () => {
  vi.useFakeTimers()
  const begins: boolean[] = []
  aLane(async (_letter, copies, _signal, mayBegin = () => true) => {
    // As after hours of sleep, which only the clock on the wall knows of.
    if (begins.length === 0) vi.setSystemTime(Date.now() + 3 * 3_600_000)
    const may = mayBegin()
    begins.push(may)
    return copies.map(() => (may ? { kind: 'accepted', id: '1' } : { kind: 'not-begun' }))
  }, 1)
  await vi.advanceTimersByTimeAsync(STALE_MS)
  expect(begins).toEqual([false, true])
})

it('a call that is not answered for long keeps nobody else waiting, however few calls are dared', async () => {
  vi.useFakeTimers()
  const asked: string[] = []
  aLane(
    async (_letter, copies) => {
      asked.push(...copies.map(({ to }) => to.address))
      // Of four at once only one is dared after two doubts, and the first is still there.
      if (asked.length === 1) return new Promise(() => {})
      if (asked.length <= 3) return [{ kind: 'unknown', reason: 'silence' }]
      return [{ kind: 'accepted', id: '1' }]
    },
    20,
    { concurrency: 4, lateMs: 2_000 },
  )
  await vi.advanceTimersByTimeAsync(1_500)
  expect(asked.length).toBeLessThan(20)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(20)
})
