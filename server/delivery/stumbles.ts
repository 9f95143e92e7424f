import type { Outcome } from '../providers/provider.ts'
import { type Health, isAboutAccount, isPlainAnswer } from './health.ts'
import type { ClaimedDelivery } from './store/claims.ts'

/** Remembered at most: a provider that hangs up at one in five of a million is not remembered whole. */
const REMEMBERED_MAX = 10_000
/** So much longer than the provider is left alone: then others have shown first whether it is back. */
const ASIDE_MS = 2_000

/**
 * What goes wrong at one mail looks like an outage: the provider hangs up, or says that it is out of order. Whoever
 * always asked it about that mail again would find it so for ever, and everybody else would wait behind it.
 */
type Stumbles = {
  /**
   * What a call met, for the health of the account and for its mails. Where the provider has answered others since a mail
   * stumbled, and it stumbles again, this is about the mail. `asideMs`: so long its mails wait behind all others.
   */
  weigh(campaignId: string, deliveries: readonly ClaimedDelivery[], outcomes: readonly Outcome[]): Weighed
  /** Campaigns at whose mails the provider was found to be out of order since it last took any, the latest last. */
  duringOutage(): Iterable<string>
}
type Weighed = { outcomes: Outcome[]; asideMs: number | null }

export function createStumbles(health: Pick<Health, 'note' | 'isHeld' | 'isProbing'>): Stumbles {
  /** How many had been answered when a mail stumbled last. */
  const answeredBy = new Map<string, number>()
  const duringOutage = new Set<string>()
  let answered = 0

  function remember(mail: string): void {
    answeredBy.delete(mail)
    answeredBy.set(mail, answered)
    const [oldest] = answeredBy.keys()
    if (answeredBy.size > REMEMBERED_MAX && oldest !== undefined) answeredBy.delete(oldest)
  }

  function judge(mail: string, outcome: Outcome): Outcome {
    if (isPlainAnswer(outcome)) {
      answered += 1
      answeredBy.delete(mail)
    }
    // One that says how long to wait speaks of all.
    if (!isAboutAccount(outcome) || outcome.afterMs !== null) return outcome
    const before = answeredBy.get(mail) ?? answered
    remember(mail)
    return before < answered && !health.isProbing() ? { ...outcome, about: 'mail' } : outcome
  }

  return {
    weigh(campaignId, deliveries, outcomes) {
      const judged = outcomes.map((outcome, index) =>
        judge(`${campaignId} ${deliveries[index]?.seq}`, outcome),
      )
      const pauseMs = health.note(outcomes.filter((outcome, index) => judged[index] === outcome))
      if (pauseMs !== null) {
        duringOutage.delete(campaignId)
        duringOutage.add(campaignId)
      } else if (outcomes.some(isPlainAnswer) && !health.isHeld()) duringOutage.clear()
      return { outcomes: judged, asideMs: pauseMs === null ? null : pauseMs + ASIDE_MS }
    },
    duringOutage: () => duringOutage,
  }
}
