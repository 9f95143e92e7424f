import { expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { aProvider } from '../test/a-provider.ts'
import { createGate } from '../test/gate.ts'
import { aLetter } from '../test/simulators/a-mail.ts'
import { until } from '../test/until.ts'
import { makeCalls } from './calls.ts'
import { createLane } from './lane.ts'
import { createWindowRun } from './window-run.ts'

/** A lane with one mail under way, which is answered when the gate opens. */
async function aBusyLane() {
  const gate = createGate()
  gate.shut()
  let isCalled = false
  const provider = aProvider({
    async send() {
      isCalled = true
      await gate.pass()
      return [{ kind: 'accepted', id: '1' }]
    },
  })
  const fail = (error: unknown) => {
    throw error
  }
  const released: boolean[] = []
  const lane = createLane({
    account: 'a',
    provider,
    copiesOf: () => [],
    rules: { retryMs: 3_600_000, random: () => 0.5 },
    holdAccount: async () => {},
    clearOutage: async () => {},
    release: async (_window, isDone) => void released.push(isDone),
    wantsMore: () => {},
    progressed: () => {},
    answered: () => {},
    troubled: fail,
    log: createLog('silent'),
  })
  const delivery = { seq: 1, address: 'r1@x.test', name: '', attempts: 0 }
  const waiting = { ...delivery, callSeq: null, callSize: null, inFlightMs: 0 }
  lane.add(
    createWindowRun({
      key: { id: '1', campaignId: 'c', token: 't' },
      campaign: { id: 'c', userId: 'u', letter: aLetter() },
      ...makeCalls([waiting], { batchMax: 1, repeatableMs: 0 }),
      claimedAt: performance.now(),
      step: async (_key, _settlements, toFence) => ({
        holds: true,
        maySend: true,
        fenced: new Set(toFence.map(({ seq }) => seq)),
      }),
    }),
  )
  await until('the mail is under way', async () => isCalled)
  return { lane, gate, released }
}

it('whoever waits for a lane to be empty hears of it, also who asked before a stop did', async () => {
  const { lane, gate, released } = await aBusyLane()
  const replaced = lane.retire()
  const stopped = lane.drain(new AbortController().signal)
  gate.open()
  await Promise.all([replaced, stopped])
  expect(released).toEqual([true])
  await lane.drain(new AbortController().signal)
})
