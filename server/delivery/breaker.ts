/** So many doubtful answers in a row mean that the provider is out of order, not the mails. */
const TRIP_AFTER = 5
const FIRST_PAUSE_MS = 5_000
/** Short enough that sending goes on within a minute after an outage. */
const LONGEST_PAUSE_MS = 30_000

type Breaker = {
  /** Calls flow (`closed`), none may be made (`open`), or one may, to see how it fares (`probing`). */
  state(): 'closed' | 'open' | 'probing'
  /** How often in a row a doubt has opened it; 0 while it is closed. */
  trips(): number
  well(): void
  /** Answers the length of the pause when this doubt opened the breaker. */
  doubtful(): number | null
  /** The pause is over and the provider seems to be there. */
  probe(): void
  /** The pause is over and the provider is still away: the length of the next one. */
  stillAway(): number
}

export function createBreaker(): Breaker {
  let state: ReturnType<Breaker['state']> = 'closed'
  let inARow = 0
  let trips = 0
  let pauseMs = FIRST_PAUSE_MS

  const open = (): number => {
    state = 'open'
    const pause = pauseMs
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    return pause
  }

  return {
    state: () => state,
    trips: () => trips,
    well() {
      inARow = 0
      // What was under way when the breaker opened may still end well; only a probe closes it again.
      if (state === 'open') return
      state = 'closed'
      trips = 0
      pauseMs = FIRST_PAUSE_MS
    },
    doubtful() {
      inARow += 1
      if (state === 'open' || (state === 'closed' && inARow < TRIP_AFTER)) return null
      trips += 1
      return open()
    },
    probe() {
      if (state === 'open') state = 'probing'
    },
    stillAway: open,
  }
}
