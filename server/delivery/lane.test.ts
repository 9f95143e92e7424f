import { afterEach, expect, it, vi } from 'vitest'
import { createLog } from '../platform/log.ts'
import type { Provider } from '../providers/provider.ts'
import { aProvider } from '../test/a-provider.ts'
import { createGate } from '../test/gate.ts'
import { aLetter } from '../test/simulators/a-mail.ts'
import { makeCalls } from './calls.ts'
import { createLane } from './lane.ts'
import { createWindowRun } from './window-run.ts'

/** A lane with so many mails to send. */
function aLane(send: Provider['send'], mails: number) {
  const released: boolean[] = []
  const lane = createLane({
    account: 'a',
    provider: aProvider({ send }),
    copiesOf: () => [],
    rules: { retryMs: 3_600_000, random: () => 0.5 },
    holdAccount: async () => {},
    clearOutage: async () => {},
    release: async (_window, isDone) => void released.push(isDone),
    wantsMore: () => {},
    progressed: () => {},
    answered: () => {},
    troubled: (error) => {
      throw error
    },
    log: createLog('silent'),
  })
  const waiting = Array.from({ length: mails }, (_, index) => ({
    seq: index + 1,
    address: `r${index}@x.test`,
    name: '',
    attempts: 0,
    callSeq: null,
    callSize: null,
    inFlightMs: 0,
  }))
  lane.add(
    createWindowRun({
      key: { id: '1', campaignId: 'c', token: 't' },
      campaign: { id: 'c', userId: 'u', letter: aLetter() },
      ...makeCalls(waiting, { batchMax: 1, repeatableMs: 0 }),
      claimedAt: performance.now(),
      step: async (_key, _settlements, toFence) => ({
        holds: true,
        maySend: true,
        fenced: new Set(toFence.map(({ seq }) => seq)),
      }),
      replaceToken: async () => {},
    }),
  )
  return { lane, released }
}

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

it('of a provider that is replaced during its outage nothing is left behind', async () => {
  vi.useFakeTimers()
  const { lane, released } = aLane(async () => [{ kind: 'unknown', reason: 'silence' }], 20)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lane.isIdle(), 'its outage is noticed').toBe(false)
  await lane.retire()
  expect(released).toEqual([false])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(vi.getTimerCount()).toBe(0)
})
