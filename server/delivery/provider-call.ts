import type { Log } from '../platform/log.ts'
import type { Outcome, Provider } from '../providers/provider.ts'
import { STALE_MS } from './capacity.ts'
import type { CopiesOf } from './copies.ts'
import { NO_OUTCOME } from './settlement.ts'
import type { FencedCall } from './window-run.ts'

type Answered = {
  outcomes: Outcome[]
  /** It took so long that not all of it was begun in time. */
  isCutShort: boolean
}

type Needs = { provider: Provider; copiesOf: CopiesOf; signal: AbortSignal; log: Log }

/** Hands a call to its provider; `mayBegin` is asked once more before each request that the provider makes of it. */
export function createProviderCall({ provider, copiesOf, signal, log }: Needs) {
  return async ({ call, window }: FencedCall, mayBegin: () => boolean): Promise<Answered> => {
    const { deliveries } = call
    const { letter, id } = window.campaign
    const handedOverAt = performance.now()
    // The time may also have gone before the first request, as with the question how fast this account may send. That
    // says nothing about the call.
    let hasBegun = false
    const begins = (): boolean => {
      const may = mayBegin()
      hasBegun ||= may
      return may
    }
    try {
      const outcomes = await provider.send(letter, copiesOf(letter, id, deliveries), signal, begins)
      const isLeftOver = outcomes.some(({ kind }) => kind === 'not-begun')
      const isLate = performance.now() - handedOverAt > STALE_MS / 2
      return { outcomes, isCutShort: hasBegun && isLeftOver && isLate }
    } catch (error) {
      log.error({ err: error, provider: provider.name }, 'a provider failed in a way that it should not')
      return { outcomes: deliveries.map(() => NO_OUTCOME), isCutShort: false }
    }
  }
}
