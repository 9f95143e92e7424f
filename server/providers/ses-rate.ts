import { setTimeout as sleep } from 'node:timers/promises'

/** What most accounts may send once they are out of the sandbox; where the account cannot be asked, a careful guess. */
const USUAL_RATE = 14
/** A guess that holds is raised, but no further: few accounts may send more. */
const GUESS_MAX = 500
const BATCH_MAX = 50
/** A sending call waits no longer than this for the rate: it can be guessed, and Amazon says when it is too high. */
const PATIENCE_MS = 700
const ASK_EVERY_MS = 600_000
const ASK_AGAIN_MS = 60_000
/** Amazon allows short bursts above the rate. So many seconds of it may go in one call, until that is refused. */
const BURST_S = 4

type SendRate = {
  copiesPerSecond(): number
  /** The most copies that one call may carry: Amazon may limit them by the rate of the account. */
  callMax(): number
  /** Asks now and then; the first time the sender waits a moment for the answer. */
  learn(): Promise<void>
  /** `told` is what the account says of itself. */
  set(told: number): void
  /** What became of a call; one that stood behind another says little about the rate. */
  note(call: { isThrottled: boolean; isFirst: boolean }): void
}

/** How many copies a second this account may send: told by it, or felt out where it may not be asked. */
export function createSendRate({ ask, now }: { ask: () => Promise<void>; now: () => Date }): SendRate {
  let told: number | null = null
  let guess = USUAL_RATE
  let burst = BURST_S
  let asking: Promise<void> | null = null
  let askNextAt = 0
  let wasAsked = false

  const rate = (): number => told ?? guess

  return {
    copiesPerSecond: rate,
    callMax: () => Math.min(BATCH_MAX, Math.max(1, Math.floor(rate() * burst))),
    async learn() {
      if (asking === null && now().getTime() >= askNextAt) {
        askNextAt = now().getTime() + ASK_AGAIN_MS
        asking = ask().then(() => {
          asking = null
          wasAsked = true
        })
      }
      if (asking === null || wasAsked) return
      const patience = new AbortController()
      const enough = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([asking, enough])
      // One moment is enough; whoever comes next does not wait for a slow answer again.
      wasAsked = true
      patience.abort()
    },
    set(rateTold) {
      if (!(rateTold > 0)) return
      told = rateTold
      askNextAt = now().getTime() + ASK_EVERY_MS
    },
    note({ isThrottled, isFirst }) {
      if (!isThrottled) {
        if (!isFirst) return
        guess = Math.min(GUESS_MAX, guess + 1)
        burst = Math.min(BURST_S, burst + 0.05)
        return
      }
      // A burst that is refused says nothing about the rate; a call that hardly was one does.
      if (burst < 2 && isFirst) guess = Math.max(1, guess * 0.7)
      burst = 1
    },
  }
}
