import { createAlarm } from '../platform/clock.ts'
import { isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Outcome, Provider } from '../providers/provider.ts'
import { createCopies } from './copies.ts'
import { createFairRing } from './fair-ring.ts'
import { createHealth, type HoldAccount } from './health.ts'
import { createCallGate, createPace } from './pace.ts'
import { NO_OUTCOME, notBegun, type SettlementRules, settleCall } from './settlement.ts'
import { LEASE_MS } from './store/leases.ts'
import type { FencedCall, WindowRun } from './window-run.ts'

/** A fenced call that could not begin within this time is taken back: whoever pressed Pause expects silence. */
const STALE_MS = 1_000
/** Where a call may begin only later than this, it is put in flight later. */
const SOON_MS = 300
/** Outcomes are gathered this long, so that one commit writes many. */
const GATHER_MS = 8
const GATHER_MAX = 150
/** After the database failed to answer. */
const RETRY_MS = 250

/** Everything that one provider account has to send from this process. */
export type Lane = {
  add(window: WindowRun): void
  windows(): Iterable<WindowRun>
  /** Nothing to do, and nothing to watch: a provider that is out of order is asked now and then. */
  isIdle(): boolean
  /** No new calls; waits for those under way, until `giveUp` aborts them. */
  drain(giveUp: AbortSignal): Promise<void>
  /** Its provider was replaced: what this one still meets says nothing about the account any more. */
  retire(): Promise<void>
}

export type LaneNeeds = {
  account: string
  provider: Provider
  domain: string
  rules: Omit<SettlementRules, 'canRepeat'>
  holdAccount: HoldAccount
  clearOutage: (account: string) => Promise<void>
  /** The window holds nothing more (`done`), or goes back with what it still holds. */
  release: (window: WindowRun, isDone: boolean) => Promise<void>
  /** Few deliveries of this campaign are left here. */
  wantsMore: (window: WindowRun) => void
  progressed: (window: WindowRun) => void
  troubled: (error: unknown) => void
  log: Log
}

const now = (): number => performance.now()

export function createLane(needs: LaneNeeds): Lane {
  const { account, provider, log } = needs
  const rules = { ...needs.rules, canRepeat: provider.repeatableMs > 0 }
  const windows = createFairRing<WindowRun>()
  const pace = createPace()
  const gate = createCallGate(provider)
  const copiesOf = createCopies(needs.domain)
  const aborting = new AbortController()
  const health = createHealth({ account, provider, needs, wake: () => turn(), signal: aborting.signal })
  const later = createAlarm(() => turn())
  const ready: FencedCall[] = []
  let readyCopies = 0
  let callsUnderWay = 0
  let copiesUnderWay = 0
  let copiesFencing = 0
  let callsFencing = 0
  let releasing = 0
  let troubledUntil = 0
  let isDraining = false
  let isTurning = false
  const { promise: emptied, resolve: whenIdle } = Promise.withResolvers<void>()

  function turn(): void {
    if (isTurning) return
    isTurning = true
    startCalls()
    noteIdleness()
    advanceWindows()
    isTurning = false
    if (!isDraining || windows.size > 0 || releasing > 0) return
    health.stop()
    whenIdle()
  }

  /** Places for calls that stay empty only because the next deliveries are not in flight yet. */
  function noteIdleness(): void {
    const slots = health.callLimit()
    const isWanting = ready.length === 0 && (copiesFencing > 0 || hasWaiting())
    pace.note(isWanting ? slots - callsUnderWay : 0, slots, now())
  }

  function hasWaiting(): boolean {
    for (const window of windows.all()) if (window.waiting() > 0) return true
    return false
  }

  function startCalls(): void {
    const limit = health.callLimit()
    while (ready.length > 0) {
      const [next] = ready
      if (!next) return
      if (!isFresh(next.window, next.fencedAt) || isDraining || health.isHeld()) {
        takeReady()
        // Its lease may be lost; then the statement that would write this finds nothing to change.
        next.window.write(
          next.call,
          next.call.deliveries.map((one) => notBegun(one)),
        )
        continue
      }
      if (callsUnderWay >= limit) return
      if (!gate.take(now(), next.call.deliveries.length)) {
        later(gate.waitMs(now()))
        return
      }
      takeReady()
      void make(next)
    }
  }

  /** May a call begin that was fenced then? */
  const isFresh = (window: WindowRun, fencedAt: number): boolean =>
    !window.isHalted() && window.isLeased(now()) && now() - fencedAt <= STALE_MS

  function takeReady(): void {
    const call = ready.shift()
    readyCopies -= call?.call.deliveries.length ?? 0
  }

  async function make(fenced: FencedCall): Promise<void> {
    const { call, window } = fenced
    const { deliveries } = call
    const beganAt = now()
    callsUnderWay += 1
    copiesUnderWay += deliveries.length
    const outcomes = await ask(fenced)
    callsUnderWay -= 1
    copiesUnderWay -= deliveries.length
    health.note(outcomes)
    const isCutShort = outcomes.some(({ kind }) => kind === 'not-begun') && now() - beganAt > STALE_MS / 2
    window.write(call, settleCall(deliveries, outcomes, rules), isCutShort)
    turn()
  }

  async function ask({ call: { deliveries }, window, fencedAt }: FencedCall): Promise<Outcome[]> {
    try {
      const { letter, id } = window.campaign
      const mayBegin = () => !isDraining && isFresh(window, fencedAt)
      return await provider.send(letter, copiesOf(id, deliveries), aborting.signal, mayBegin)
    } catch (error) {
      log.error({ err: error, provider: provider.name }, 'a provider failed in a way that it should not')
      return deliveries.map(() => NO_OUTCOME)
    }
  }

  /** The most deliveries that may be in flight at once. */
  function limit(): number {
    if (isDraining || health.isHeld()) return 0
    // A single mail shows as well as a thousand whether the provider is back, and puts one person at risk.
    if (health.isProbing() && !rules.canRepeat) return 1
    const most = health.callLimit() * provider.batchMax + (health.isProbing() ? 0 : pace.ahead())
    const rate = provider.copiesPerSecond()
    if (rate === null) return most
    // No more than may begin before it would be taken back.
    const soon = gate.waitMs(now()) > SOON_MS ? 0 : Math.max(provider.batchMax, (rate * STALE_MS) / 1000)
    return Math.min(most, copiesUnderWay + soon)
  }

  /** How many more may be put in flight now. */
  const room = (): number => Math.max(0, limit() - readyCopies - copiesFencing - copiesUnderWay)

  /** The same for calls: many campaigns of a few recipients each make many small ones. */
  function callRoom(): number {
    const slots = health.callLimit() + Math.floor(pace.ahead() / provider.batchMax)
    return Math.max(0, slots - ready.length - callsFencing - callsUnderWay)
  }

  /** Whether that is worth a statement of its own; a few more go along with the next outcomes. */
  function isWorthIt(more: number): boolean {
    const isStarving = readyCopies + copiesFencing === 0
    return isStarving || more >= Math.max(provider.batchMax, limit() / 4)
  }

  function advanceWindows(): void {
    // Timers may ring a moment before the clock says so: whoever turns too early comes again.
    if (health.isHeld()) later(Math.max(health.heldMs() + 1, GATHER_MS * 10))
    else if (gate.waitMs(now()) > SOON_MS) later(gate.waitMs(now()) - SOON_MS + 1)
    if (now() < troubledUntil) {
      later(troubledUntil - now() + 1)
      return
    }
    for (let window = nextToFence(); window; window = nextToFence()) {
      // With several campaigns at once each gets a share, so that none waits behind another's whole window.
      const share = Math.ceil(room() / Math.max(1, windows.size))
      void advance(window, Math.min(room(), Math.max(window.nextSize(), share)))
    }
    for (const window of windows.all()) {
      if (window.isStepping()) continue
      const since = window.unwrittenSince()
      if (since !== null) write(window, now() - since)
      else if (isOver(window)) void giveBack(window)
    }
  }

  function nextToFence(): WindowRun | null {
    const more = room()
    if (!isWorthIt(more) || callRoom() === 0) return null
    return windows.next((window) => {
      const size = window.nextSize()
      const fits = size <= more || (health.isProbing() && more > 0 && window.isNextFresh())
      return !window.isStepping() && !window.isHalted() && size > 0 && fits
    })
  }

  function write(window: WindowRun, age: number): void {
    const isTime = age >= GATHER_MS || window.unwritten() >= GATHER_MAX || callsUnderWay === 0
    const share = Math.min(window.waiting(), Math.floor(room() / Math.max(1, windows.size)))
    if (isTime) void advance(window, share)
    else later(GATHER_MS - age)
  }

  const isOver = (window: WindowRun): boolean =>
    window.isLost() ||
    window.isEmpty() ||
    // During a long hold nothing is kept in hand: how long a doubtful call may still be repeated is judged anew later.
    ((window.isHalted() || isDraining || health.heldMs() > LEASE_MS) && window.isQuiet())

  async function advance(window: WindowRun, share: number): Promise<void> {
    const calls = Math.ceil(Math.min(share, window.waiting()) / Math.max(1, window.nextSize()))
    copiesFencing += share
    callsFencing += calls
    try {
      const fenced = await window.step(share, now(), health.isProbing())
      ready.push(...fenced)
      readyCopies += fenced.reduce((sum, { call }) => sum + call.deliveries.length, 0)
      needs.progressed(window)
      if (!window.isHalted() && window.waiting() < LOW) needs.wantsMore(window)
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'a step of the delivery failed and is repeated')
      needs.troubled(error)
      troubledUntil = now() + RETRY_MS
    }
    copiesFencing -= share
    callsFencing -= calls
    turn()
  }

  async function giveBack(window: WindowRun): Promise<void> {
    windows.remove(window.campaign.userId, window)
    releasing += 1
    // A window that cannot be given back now is taken over once its lease has run out.
    if (!window.isLost()) await needs.release(window, window.isEmpty()).catch(needs.troubled)
    releasing -= 1
    needs.progressed(window)
    turn()
  }

  function empty(): Promise<void> {
    isDraining = true
    turn()
    return emptied
  }

  return {
    add(window) {
      windows.add(window.campaign.userId, window)
      turn()
    },
    windows: () => windows.all(),
    isIdle: () => windows.size === 0 && !health.isHeld() && !health.isProbing(),
    drain(giveUp) {
      giveUp.addEventListener('abort', () => aborting.abort(), { once: true })
      return empty()
    },
    retire() {
      health.stop()
      return empty()
    },
  }
}

/** The next window is claimed while so many are left, so that no call waits for it. */
const LOW = 300
