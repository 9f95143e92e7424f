import type { Provider } from '../providers/provider.ts'
import type { Health } from './health.ts'
import { type CallGate, createPace } from './pace.ts'

/** A fenced call that could not begin within this time is taken back: whoever pressed Pause expects silence. */
export const STALE_MS = 1_000
/** Where a call may begin only later than this, it is put in flight later. */
const SOON_MS = 300
/** Timers may ring a moment before the clock says so: whoever looks too early looks again after this. */
const AGAIN_MS = 80

type Load = { calls: number; copies: number }

/** What is on its way: being put in flight, in flight and waiting for its call, called, and called long ago. */
export type Traffic = { fencing: Load; ready: Load; underWay: Load; late: Load }

const none = (): Load => ({ calls: 0, copies: 0 })
export const noTraffic = (): Traffic => ({
  fencing: none(),
  ready: none(),
  underWay: none(),
  late: none(),
})

export function count(load: Load, calls: number, copies: number): void {
  load.calls += calls
  load.copies += copies
}

/** How much more a lane may put in flight: what is there when a worker dies is in doubt afterwards. */
type Capacity = {
  /** So many calls may be under way that are not late; those that are late keep theirs only where all are taken. */
  places(): number
  /** So many deliveries, and none where the calls that could carry them are all spoken for. */
  room(): number
  /** When there may be room again that there is not now; null where only what is under way decides. */
  waitMs(): number | null
  /** Whether that is worth a statement of its own; a few more go along with the next outcomes. */
  isWorthAStep(more: number): boolean
  /** Asked at every turn: places for calls that stay empty only because the next deliveries are not in flight yet. */
  noteIdleness(hasWaiting: () => boolean): void
}

type Needs = {
  provider: Provider
  health: Pick<Health, 'isHeld' | 'heldMs' | 'isProbing' | 'callLimit'>
  gate: Pick<CallGate, 'waitMs'>
  traffic: Traffic
  now?: () => number
}

export function createCapacity({
  provider,
  health,
  gate,
  traffic,
  now = () => performance.now(),
}: Needs): Capacity {
  const { fencing, ready, underWay, late } = traffic
  const pace = createPace()

  const places = (): number => Math.min(health.callLimit(), provider.concurrency - late.calls)

  function limit(): number {
    if (health.isHeld() || places() === 0) return 0
    // A single mail shows as well as a thousand whether the provider is back, and puts one person at risk.
    if (health.isProbing() && provider.repeatableMs === 0) return 1
    const most = places() * provider.batchMax + (health.isProbing() ? 0 : pace.ahead())
    const rate = provider.copiesPerSecond()
    if (rate === null) return most
    // No more than may begin before it would be taken back.
    const soon = gate.waitMs(now()) > SOON_MS ? 0 : Math.max(provider.batchMax, (rate * STALE_MS) / 1000)
    return Math.min(most, underWay.copies + soon)
  }

  /** Many campaigns of a few recipients each make many small calls: these are counted as well. */
  function hasPlaceForCall(): boolean {
    const most = places() + Math.floor(pace.ahead() / provider.batchMax)
    return most > ready.calls + fencing.calls + underWay.calls
  }

  return {
    places,
    room: () =>
      hasPlaceForCall() ? Math.max(0, limit() - ready.copies - fencing.copies - underWay.copies) : 0,
    waitMs() {
      if (health.isHeld()) return Math.max(health.heldMs() + 1, AGAIN_MS)
      const wait = gate.waitMs(now())
      return wait > SOON_MS ? wait - SOON_MS + 1 : null
    },
    isWorthAStep(more) {
      if (more === 0) return false
      const isStarving = ready.copies + fencing.copies === 0
      return isStarving || more >= Math.max(provider.batchMax, limit() / 4)
    },
    noteIdleness(hasWaiting) {
      const most = places()
      const isWanting = ready.calls === 0 && (fencing.copies > 0 || hasWaiting())
      pace.note(isWanting ? most - underWay.calls : 0, most, now())
    },
  }
}
