import type { Outcome } from '../providers/provider.ts'
import { nextTryAfter } from './backoff.ts'
import { storable } from './facts.ts'
import type { ClaimedDelivery } from './store/claims.ts'
import type { Settlement } from './store/steps.ts'

/** A doubtful call is asked about again soon: as long as it is open, its recipients are neither sent nor failed. */
const LONGEST_REPEAT_WAIT_MS = 30_000

export type SettlementRules = {
  /** How long a mail that is refused for now is tried. */
  retryMs: number
  /** Whether a doubtful call may be repeated under the same key. */
  canRepeat: boolean
  random: () => number
  /** Set where the provider stumbled at this call, or is out of order by it: so long its mails let others go first. */
  asideMs?: number | null
}

export const NO_OUTCOME: Outcome = { kind: 'unknown', reason: 'The provider gave no outcome' }

/**
 * What becomes of all deliveries of a call. Those that stay doubtful are asked about again together, as one call that
 * the provider recognises: they wait for the same moment, and know how many they are now.
 */
export function settleCall(
  deliveries: readonly ClaimedDelivery[],
  outcomes: readonly Outcome[],
  rules: SettlementRules,
): Settlement[] {
  // One that is taken shows that the provider has read the call, and then it speaks of the first one as well.
  const isRead = outcomes.some(({ kind }) => kind === 'accepted')
  const settlements = deliveries.map((delivery, index) =>
    inStorableWords(settle(delivery, outcomes[index] ?? NO_OUTCOME, { ...rules, isRead })),
  )
  const doubtful = settlements.filter(({ state }) => state === 'i')
  const waits = doubtful.flatMap(({ waitMs }) => waitMs ?? [])
  const together = {
    callSize: doubtful.length,
    waitMs: waits.length === 0 ? null : Math.max(...waits),
  }
  return settlements.map((one) => (one.state === 'i' ? { ...one, ...together } : one))
}

/** A provider's words are its own; one that cannot be stored would keep all mails of its call from being settled. */
const inStorableWords = (settlement: Settlement): Settlement => ({
  ...settlement,
  reason: storable(settlement.reason),
  providerId: storable(settlement.providerId),
})

/** What becomes of a delivery by a provider's answer. The one place where an outcome turns into a state. */
function settle(
  delivery: ClaimedDelivery,
  outcome: Outcome,
  rules: SettlementRules & { isRead: boolean },
): Settlement {
  const { seq } = delivery
  const { asideMs = null } = rules
  const attempts = delivery.attempts + 1
  const base = { seq, attempts, reason: null, providerId: null, waitMs: null, callSize: null, wasTry: true }
  switch (outcome.kind) {
    case 'not-begun':
      return notBegun(delivery)
    case 'accepted':
      return { ...base, state: 'a', providerId: outcome.id }
    case 'rejected':
      // A provider may turn away a whole call, for a lost right to send, without a look at what it took before.
      if (delivery.callSeq !== null && !rules.isRead)
        return { ...base, state: 'u', reason: `${outcome.reason}; an earlier call may have been taken` }
      return { ...base, state: 'f', reason: outcome.reason }
    case 'unknown': {
      if (!rules.canRepeat || outcome.isFinal) return { ...base, state: 'u', reason: outcome.reason }
      const waitMs = nextTryAfter(attempts, Number.POSITIVE_INFINITY, rules.random) ?? LONGEST_REPEAT_WAIT_MS
      return {
        ...base,
        state: 'i',
        reason: outcome.reason,
        waitMs: Math.max(Math.min(waitMs, LONGEST_REPEAT_WAIT_MS), asideMs ?? 0),
      }
    }
    case 'try-later': {
      // A refused repetition says nothing about the first call: that one may still have been taken.
      if (delivery.callSeq !== null) {
        const isTry = outcome.about === 'mail'
        const waitMs = isTry ? (outcome.afterMs ?? LONGEST_REPEAT_WAIT_MS) : asideMs
        return { ...base, state: 'i', reason: outcome.reason, waitMs, wasTry: isTry }
      }
      // The provider was away, or wants us to wait: this says nothing about the mail, and costs it no try.
      if (outcome.about === 'account') return notBegun(delivery, outcome.reason, asideMs)
      const waitMs = nextTryAfter(attempts, rules.retryMs, rules.random)
      if (waitMs === null)
        return { ...base, state: 'f', reason: `Given up after ${attempts} tries: ${outcome.reason}` }
      return { ...base, state: 'q', reason: outcome.reason, waitMs: outcome.afterMs ?? waitMs }
    }
  }
}

/** Back to where it was before its call: it is certain that nothing left by it. */
export const notBegun = (
  { seq, attempts, callSeq }: ClaimedDelivery,
  reason: string | null = null,
  waitMs: number | null = null,
): Settlement => ({
  seq,
  attempts: attempts + 1,
  state: callSeq === null ? 'q' : 'i',
  reason,
  providerId: null,
  waitMs,
  callSize: null,
  wasTry: false,
})
