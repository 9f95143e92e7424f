import type { Provider } from '../providers/provider.ts'

/** What a crash can leave doubtful at most, besides the calls under way, however fast a provider is. */
export const AHEAD_MAX = 200
const MEASURE_MS = 50
const TOO_IDLE = 0.1
const BUSY_ENOUGH = 0.03

/**
 * How many deliveries are put in flight ahead of the calls. A provider that takes long for a call needs none; a fast
 * one would wait for the database between calls. What decides is how much of the time that calls could be under way
 * none was, although there was work.
 */
type Pace = {
  /** From now on `idle` of `slots` places for calls are empty for want of work that is in flight. */
  note(idle: number, slots: number, now: number): void
  ahead(): number
}

export function createPace(): Pace {
  let ahead = 0
  let since = 0
  let at = 0
  let idle = 0
  let slots = 1
  let idleTime = 0
  let slotTime = 0

  return {
    note(idleNow, slotsNow, now) {
      idleTime += idle * (now - at)
      slotTime += slots * (now - at)
      idle = idleNow
      slots = slotsNow
      at = now
      if (now - since < MEASURE_MS) return
      const share = slotTime === 0 ? 0 : idleTime / slotTime
      if (share > TOO_IDLE) ahead = Math.min(AHEAD_MAX, ahead * 2 + slotsNow)
      else if (share < BUSY_ENOUGH) ahead = Math.floor(ahead * 0.9)
      since = now
      idleTime = 0
      slotTime = 0
    },
    ahead: () => ahead,
  }
}

/** Half a call is made up for when a timer rings late; more would be a burst, which providers refuse. */
const SAVED_CALLS = 1.5

/** Lets so many calls, and so many copies, begin in a second, evenly. */
export type CallGate = { take(now: number, copies?: number): boolean; waitMs(now: number): number }

type Rate = Pick<Provider, 'callsPerSecond' | 'copiesPerSecond'>

export function createCallGate({ callsPerSecond, copiesPerSecond }: Rate): CallGate {
  const calls = createBucket(() => callsPerSecond, { most: SAVED_CALLS, atLeast: 1 })
  // One call carries many copies: it may begin once those of the calls before it are paid for.
  const copies = createBucket(copiesPerSecond, { most: 1, atLeast: 0 })
  return {
    take(now, count = 1) {
      if (calls.waitMs(now) > 0 || copies.waitMs(now) > 0) return false
      calls.pay(1)
      copies.pay(count)
      return true
    },
    waitMs: (now) => Math.max(calls.waitMs(now), copies.waitMs(now)),
  }
}

/** Fills at a rate up to `most`, and lets something begin while it holds `atLeast`; a rate of null is no limit. */
function createBucket(rate: () => number | null, { most, atLeast }: { most: number; atLeast: number }) {
  let tokens = most
  let at = 0
  return {
    pay(cost: number): void {
      if (rate() !== null) tokens -= cost
    },
    waitMs(now: number): number {
      const perSecond = rate()
      if (perSecond === null) return 0
      tokens = Math.min(most, tokens + ((now - at) / 1000) * perSecond)
      at = now
      return tokens >= atLeast ? 0 : Math.ceil(((atLeast - tokens) / perSecond) * 1000)
    },
  }
}
