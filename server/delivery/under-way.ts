import type { Provider } from '../providers/provider.ts'
import { count, type Traffic } from './capacity.ts'
import type { Health } from './health.ts'

/** The calls that a provider has not answered yet. */
type UnderWay = {
  /** A call with so many copies begins; answers what is to be done at its end. */
  begin(copies: number): () => void
  /**
   * Asked at every turn: which calls are late by now. A mail server may be silent at one mail for ten minutes; while
   * fewer calls are dared at once than are so silent, nobody else would be mailed until then.
   */
  noteLate(): void
}

type Needs = {
  provider: Pick<Provider, 'lateMs'>
  health: Pick<Health, 'isProbing'>
  traffic: Traffic
  /** Has a turn made after so many milliseconds. */
  later: (milliseconds: number) => void
  now?: () => number
}

export function createUnderWay(needs: Needs): UnderWay {
  const { provider, health, traffic, later, now = () => performance.now() } = needs
  /** The oldest first. */
  const calls = new Set<{ begun: number; copies: number; isLate: boolean }>()
  let probingSince: number | null = null

  return {
    begin(copies) {
      const call = { begun: now(), copies, isLate: false }
      calls.add(call)
      count(traffic.underWay, 1, copies)
      return () => {
        calls.delete(call)
        count(call.isLate ? traffic.late : traffic.underWay, -1, -copies)
      }
    },
    noteLate() {
      const { lateMs } = provider
      if (lateMs === undefined) return
      probingSince = health.isProbing() ? (probingSince ?? now()) : null
      for (const call of calls) {
        if (call.isLate) continue
        // The probe itself is waited for, however long: each further one would put another person at risk.
        if (probingSince !== null && call.begun >= probingSince) return
        const left = call.begun + lateMs - now()
        if (left > 0) return later(left + 1)
        call.isLate = true
        count(traffic.underWay, -1, -call.copies)
        count(traffic.late, 1, call.copies)
      }
    },
  }
}
