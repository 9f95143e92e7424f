import type { Outcome } from '../providers/provider.ts'
import { type Health, isPlainAnswer } from './health.ts'
import type { ClaimedDelivery } from './store/claims.ts'

/** Remembered at most: a provider that hangs up at one in five of a million is not remembered whole. */
const REMEMBERED_MAX = 10_000
/** A mail at which the provider stumbled lets others go first; and longer than the provider is left alone, where it is. */
const ASIDE_MS = 2_000
/** Minutes, as probes come: where nobody else is mailed, this is all that can be known. */
const PROBES_MAX = 5

/**
 * What goes wrong at one mail looks like an outage: the provider hangs up in the middle of it. Whoever always tried that
 * mail again would find the provider out of order for ever, and everybody else would wait behind it.
 */
type Stumbles = {
  /**
   * What a call met, for the health of the account and for its mails. `asideMs`: so long they wait where the provider
   * stumbled at them, or is out of order by them.
   */
  weigh(campaignId: string, deliveries: readonly ClaimedDelivery[], outcomes: readonly Outcome[]): Weighed
  /** Campaigns at whose mails the provider was found to be out of order since it last took any, the latest last. */
  duringOutage(): Iterable<string>
}
type Weighed = { outcomes: Outcome[]; asideMs: number | null }

/** How many mails had been answered when the provider last stumbled at this one, and how often this was its probe. */
type Seen = { answered: number; probes: number }

export function createStumbles(health: Pick<Health, 'note' | 'isHeld' | 'isProbing'>): Stumbles {
  const seen = new Map<string, Seen>()
  const duringOutage = new Set<string>()
  let answered = 0
  /** At which mail it stumbled since it last answered anybody, and whether at others too: then it is no mail's fault. */
  let latest: string | null = null
  let areSeveral = false
  let pauseMs = 0

  function noteAnswer(mail: string): void {
    answered += 1
    seen.delete(mail)
    latest = null
    areSeveral = false
  }

  function remember(mail: string, stumble: Seen): void {
    seen.delete(mail)
    seen.set(mail, stumble)
    const [oldest] = seen.keys()
    if (seen.size > REMEMBERED_MAX && oldest !== undefined) seen.delete(oldest)
  }

  /**
   * Is it this mail that the provider cannot take? It took others meanwhile, it has refused the mail as such before, or it
   * said time and again that it is back, and stumbled.
   */
  function isMailsOwn(mail: string, { attempts }: Pick<ClaimedDelivery, 'attempts'>): boolean {
    areSeveral ||= latest !== null && latest !== mail
    latest = mail
    const isProbe = health.isProbing()
    const before = seen.get(mail) ?? { answered, probes: 0 }
    const probes = before.probes + (isProbe ? 1 : 0)
    remember(mail, { answered, probes })
    if (probes >= PROBES_MAX) return true
    return !areSeveral && (attempts > 0 || (!isProbe && before.answered < answered))
  }

  function judge(campaignId: string, delivery: ClaimedDelivery | undefined, outcome: Outcome): Outcome {
    if (!delivery) return outcome
    const mail = `${campaignId} ${delivery.seq}`
    if (isPlainAnswer(outcome)) noteAnswer(mail)
    return isStumble(outcome) && isMailsOwn(mail, delivery) ? { ...outcome, about: 'mail' } : outcome
  }

  function noteOutage(campaignId: string, outcomes: readonly Outcome[]): boolean {
    const opened = health.note(outcomes)
    if (opened !== null) {
      pauseMs = opened
      duringOutage.delete(campaignId)
      duringOutage.add(campaignId)
    } else if (outcomes.some(isPlainAnswer) && !health.isHeld()) {
      pauseMs = 0
      duringOutage.clear()
    }
    return opened !== null
  }

  return {
    weigh(campaignId, deliveries, outcomes) {
      const judged = outcomes.map((outcome, index) => judge(campaignId, deliveries[index], outcome))
      const others = outcomes.filter((outcome, index) => judged[index] === outcome)
      const isAside = noteOutage(campaignId, others) || outcomes.some(isStumble)
      return { outcomes: judged, asideMs: isAside ? pauseMs + ASIDE_MS : null }
    },
    duringOutage: () => duringOutage,
  }
}

type Stumble = Extract<Outcome, { kind: 'try-later' }> & { isAmidMail: true }
const isStumble = (outcome: Outcome): outcome is Stumble =>
  outcome.kind === 'try-later' && outcome.about === 'account' && outcome.isAmidMail === true
