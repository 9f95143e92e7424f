/** So much work is put in flight ahead of the calls: it bridges one round trip to the database, and little more. */
const AHEAD_MS = 25
/** What a crash can leave doubtful at most, besides the calls under way, however fast a provider is. */
export const AHEAD_MAX = 200
const WINDOW_MS = 200

/** Measures how fast deliveries are settled, and from that how many may be put in flight ahead. */
export type Pace = {
  settled(count: number, now: number): void
  ahead(now: number): number
}

export function createPace(): Pace {
  let since = 0
  let count = 0
  let perMs = 0

  function roll(now: number): void {
    const passed = now - since
    if (passed < WINDOW_MS) return
    perMs = passed > 2 * WINDOW_MS ? 0 : count / passed
    since = now
    count = 0
  }

  return {
    settled(more, now) {
      roll(now)
      count += more
    },
    ahead(now) {
      roll(now)
      // At the beginning of a run the last full measure is old: what was settled since counts as well.
      const young = count / Math.max(20, now - since)
      return Math.min(AHEAD_MAX, Math.floor(Math.max(perMs, young) * AHEAD_MS))
    },
  }
}

/** Lets so many calls begin in a second, evenly after a first burst. */
export type CallGate = { take(now: number): boolean; waitMs(now: number): number }

export function createCallGate(callsPerSecond: number | null): CallGate {
  if (callsPerSecond === null) return { take: () => true, waitMs: () => 0 }
  let tokens = callsPerSecond
  let at = 0
  const refill = (now: number) => {
    tokens = Math.min(callsPerSecond, tokens + ((now - at) / 1000) * callsPerSecond)
    at = now
  }
  return {
    take(now) {
      refill(now)
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    waitMs(now) {
      refill(now)
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / callsPerSecond) * 1000)
    },
  }
}
