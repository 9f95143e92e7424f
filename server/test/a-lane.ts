import { makeCalls } from '../delivery/calls.ts'
import { createLane } from '../delivery/lane.ts'
import { createWindowRun } from '../delivery/window-run.ts'
import { createLog } from '../platform/log.ts'
import type { Provider } from '../providers/provider.ts'
import { aProvider } from './a-provider.ts'
import { aCopy, aLetter } from './simulators/a-mail.ts'

/** A lane with so many mails to send. */
export function aLane(send: Provider['send'], mails: number, own: Partial<Provider> = {}) {
  const provider = aProvider({ send, ...own })
  const released: boolean[] = []
  const lane = createLane({
    account: 'a',
    provider,
    copiesOf: (_letter, _campaignId, deliveries) => deliveries.map(({ address }) => aCopy({ to: address })),
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
    wasTurnedBack: false,
  }))
  lane.add(
    createWindowRun({
      key: { id: '1', campaignId: 'c', token: 't' },
      campaign: { id: 'c', userId: 'u', letter: aLetter() },
      ...makeCalls(waiting, provider),
      claimedAt: performance.now(),
      step: async (_key, _settlements, toFence) => ({
        holds: true,
        maySend: true,
        fenced: new Set(toFence.map(({ seq }) => seq)),
      }),
      replaceToken: async () => {},
      openWaiting: async () => true,
    }),
  )
  return { lane, provider, released }
}
