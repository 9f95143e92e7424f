import type { Outcome, Provider } from '../providers/provider.ts'
import { createBreaker } from './breaker.ts'

export type HoldAccount = (
  account: string,
  hold: { milliseconds: number; outage: string | null; isAsked: boolean },
) => Promise<void>

/** Whether a provider may be called at the moment, and by how many calls at once. */
export type Health = {
  isHeld(): boolean
  /** How long it is held from now on, as far as is known. */
  heldMs(): number
  isProbing(): boolean
  /** How often in a row mails have found it out of order; 0 once one has shown that it is back. */
  trips(): number
  callLimit(): number
  /** What the copies of one call met; answers how long the provider is left alone where it is out of order by this. */
  note(outcomes: readonly Outcome[]): number | null
  stop(): void
}

/** A wait that people should know of: a used-up quota, not a moment's rush. */
const WORTH_TELLING_MS = 60_000
const CHECK_MS = 10_000
/** The database's clock and ours do not tick together; a hold must be over on both. */
const MARGIN_MS = 100
/** So many calls in a row must end well before one more at once is dared again. */
const CALLS_TO_GROW = 20

type Needs = {
  account: string
  provider: Provider
  needs: {
    holdAccount: HoldAccount
    clearOutage: (account: string) => Promise<void>
    troubled: (error: unknown) => void
  }
  wake: () => void
  signal: AbortSignal
}

export function createHealth({ account, provider, needs, wake, signal }: Needs): Health {
  const breaker = createBreaker()
  let limit = provider.concurrency
  let wellInARow = 0
  let heldUntil = 0
  /** The wait that the provider itself asked for: the end of an outage does not end it. */
  let asked: { until: number; outage: string | null } = { until: 0, outage: null }
  let isStopped = false
  const timers = new Set<NodeJS.Timeout>()

  const after = (milliseconds: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!isStopped) act()
    }, milliseconds)
    timers.add(timer)
  }

  function hold(milliseconds: number, outage: string | null, isAsked: boolean): void {
    const until = performance.now() + milliseconds + MARGIN_MS
    heldUntil = Math.max(heldUntil, until)
    if (isStopped) return
    needs
      .holdAccount(account, { milliseconds, outage, isAsked })
      .then(() => {
        // The database counts from when it heard of it. Whoever came back sooner would be turned away there, and had to
        // give up everything that it has in hand.
        if (heldUntil >= until) heldUntil = Math.max(heldUntil, performance.now() + milliseconds + MARGIN_MS)
      })
      .catch(needs.troubled)
  }

  function open(pauseMs: number, reason: string): void {
    // Others wait a little longer, until this process has asked whether the provider is back.
    hold(pauseMs + CHECK_MS, `${provider.name} is out of order: ${reason}`, false)
    after(pauseMs, () => void probe())
  }

  async function probe(): Promise<void> {
    const reason = await provider.check(AbortSignal.timeout(CHECK_MS)).catch(() => 'it does not answer')
    if (isStopped) return
    if (reason !== null) return open(breaker.stillAway(), reason)
    await needs.clearOutage(account).catch(needs.troubled)
    breaker.probe()
    heldUntil = 0
    const left = asked.until - performance.now()
    if (left > 0) hold(left, asked.outage, true)
    wake()
  }

  function noteWish(wait: number, reason: string): null {
    const outage = wait < WORTH_TELLING_MS ? null : `${provider.name} asks to wait: ${reason}`
    const until = performance.now() + wait
    if (until > asked.until) asked = { until, outage }
    hold(wait, outage, true)
    return null
  }

  function noteTrouble(reason: string): number | null {
    wellInARow = 0
    limit = Math.max(1, Math.floor(limit / 2))
    const pause = breaker.doubtful()
    if (pause !== null) open(pause, reason)
    return pause
  }

  function noteWell(): null {
    breaker.well()
    wellInARow += 1
    if (limit < provider.concurrency && wellInARow % CALLS_TO_GROW === 0) limit += 1
    return null
  }

  return {
    isHeld: () => breaker.state() === 'open' || performance.now() < heldUntil,
    heldMs: () => Math.max(0, heldUntil - performance.now()),
    isProbing: () => breaker.state() === 'probing',
    trips: breaker.trips,
    callLimit: () => (breaker.state() === 'probing' ? 1 : limit),
    note(outcomes) {
      // What we stopped ourselves says nothing about the provider.
      if (signal.aborted || outcomes.every(({ kind }) => kind === 'not-begun')) return null
      const wait = Math.max(0, ...outcomes.map((one) => (isAboutAccount(one) ? (one.afterMs ?? 0) : 0)))
      const told = outcomes.find(isAboutAccount)
      if (wait > 0) return noteWish(wait, told?.reason ?? '')
      const doubt = outcomes.find((one) => one.kind === 'unknown') ?? told
      if (outcomes.some(isPlainAnswer)) return noteWell()
      return doubt && 'reason' in doubt ? noteTrouble(doubt.reason) : null
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

type AccountTrouble = Extract<Outcome, { kind: 'try-later' }>
const isAboutAccount = (outcome: Outcome): outcome is AccountTrouble =>
  outcome.kind === 'try-later' && outcome.about === 'account'
/** An answer that shows the provider at work, whatever it says. */
export const isPlainAnswer = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown'
    ? outcome.isFinal === true
    : outcome.kind !== 'not-begun' && !isAboutAccount(outcome)
