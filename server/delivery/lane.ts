import { createAlarm } from '../platform/clock.ts'
import { isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Outcome, Provider } from '../providers/provider.ts'
import { count, createCapacity, noTraffic, STALE_MS } from './capacity.ts'
import type { CopiesOf } from './copies.ts'
import { createFairRing } from './fair-ring.ts'
import { createHealth, type Health, type HoldAccount } from './health.ts'
import { createCallGate } from './pace.ts'
import { createProviderCall } from './provider-call.ts'
import { notBegun, type SettlementRules, settleCall } from './settlement.ts'
import { createStumbles } from './stumbles.ts'
import { createUnderWay } from './under-way.ts'
import { createReturns } from './window-returns.ts'
import type { FencedCall, WindowRun } from './window-run.ts'

/** Outcomes are gathered this long, so that one commit writes many. */
const GATHER_MS = 8
const GATHER_MAX = 150
/** After the database failed to answer. */
const RETRY_MS = 250

/** Everything that one provider account has to send from this process. */
export type Lane = Pick<Health, 'trips'> & {
  add(window: WindowRun): void
  windows(): Iterable<WindowRun>
  isEmpty(): boolean
  /** Its provider is out of order, and asked now and then; or seems to be back, and no mail has shown it yet. */
  isWatching(): boolean
  /** Campaigns at whose mails its provider was found to be out of order, and still is. */
  duringOutage(): Iterable<string>
  /** No new calls; waits for those under way, until `giveUp` aborts them. */
  drain(giveUp: AbortSignal): Promise<void>
  /** Its provider was replaced: what this one still meets says nothing about the account any more. */
  retire(): Promise<void>
}

type LaneNeeds = {
  account: string
  provider: Provider
  copiesOf: CopiesOf
  rules: Omit<SettlementRules, 'canRepeat'>
  holdAccount: HoldAccount
  clearOutage: (account: string) => Promise<void>
  /** The window holds nothing more (`done`), or goes back with what it still holds. */
  release: (window: WindowRun, isDone: boolean) => Promise<void>
  /** Few deliveries of this campaign are left here. */
  wantsMore: (window: WindowRun) => void
  progressed: (window: WindowRun) => void
  /** What the provider made of a call. */
  answered: (provider: string, outcomes: readonly Outcome[]) => void
  troubled: (error: unknown) => void
  log: Log
}

const now = (): number => performance.now()

export function createLane(needs: LaneNeeds): Lane {
  const { account, provider, log } = needs
  const rules = { ...needs.rules, canRepeat: provider.repeatableMs > 0 }
  const windows = createFairRing<WindowRun>()
  const gate = createCallGate(provider)
  const aborting = new AbortController()
  const health = createHealth({ account, provider, needs, wake: () => turn(), signal: aborting.signal })
  const stumbles = createStumbles(health)
  const ask = createProviderCall({
    provider,
    copiesOf: needs.copiesOf,
    signal: aborting.signal,
    log: needs.log,
  })
  const later = createAlarm(() => turn())
  const ready: FencedCall[] = []
  const traffic = noTraffic()
  const capacity = createCapacity({ provider, health, gate, traffic })
  const underWay = createUnderWay({ provider, health, traffic, later })
  const returns = createReturns({
    health,
    isDraining: () => isDraining,
    remove: (window) => windows.remove(window.campaign.userId, window),
    release: needs.release,
    released: needs.progressed,
    failed,
    troubled: needs.troubled,
    turn: () => turn(),
  })
  let troubledUntil = 0
  let isDraining = false
  let isTurning = false
  const waitForEmptiness: (() => void)[] = []

  function turn(): void {
    if (isTurning) return
    isTurning = true
    underWay.noteLate()
    startCalls()
    capacity.noteIdleness(hasWaiting)
    advanceWindows()
    isTurning = false
    if (!isDraining || windows.size > 0 || returns.isUnderWay()) return
    health.stop()
    for (const emptied of waitForEmptiness.splice(0)) emptied()
  }

  function hasWaiting(): boolean {
    for (const window of windows.all()) if (window.waiting() > 0) return true
    return false
  }

  function startCalls(): void {
    for (let next = ready[0]; next; next = ready[0]) {
      if (!isFresh(next) || isDraining || health.isHeld()) {
        takeReady()
        // Its lease may be lost; then the statement that would write this finds nothing to change.
        next.window.write(
          next.call,
          next.call.deliveries.map((one) => notBegun(one)),
        )
        continue
      }
      if (traffic.underWay.calls >= capacity.places()) return
      if (!gate.take(now(), next.call.deliveries.length)) {
        later(gate.waitMs(now()))
        return
      }
      takeReady()
      void make(next)
    }
  }

  /** May it still begin? By both clocks: after a suspend others have long done what was about to be called here. */
  const isFresh = ({ window, fencedAt, fencedAtWall }: FencedCall): boolean =>
    !window.isHalted() &&
    window.isLeased(now()) &&
    Math.max(now() - fencedAt, Date.now() - fencedAtWall) <= STALE_MS

  function takeReady(): void {
    const taken = ready.shift()
    if (taken) count(traffic.ready, -1, -taken.call.deliveries.length)
  }

  async function make(fenced: FencedCall): Promise<void> {
    const { call, window } = fenced
    const { deliveries } = call
    const ended = underWay.begin(deliveries.length)
    const mayBegin = () => !isDraining && isFresh(fenced)
    const answer = await ask(fenced, mayBegin)
    ended()
    const { outcomes, asideMs } = stumbles.weigh(window.campaign.id, deliveries, answer.outcomes)
    needs.answered(provider.name, outcomes)
    window.write(call, settleCall(deliveries, outcomes, { ...rules, asideMs }), answer.isCutShort)
    turn()
  }

  function advanceWindows(): void {
    // Who begins nothing more waits for no provider: the hold of one that was given up never ends.
    const waitMs = isDraining ? null : capacity.waitMs()
    if (waitMs !== null) later(waitMs)
    if (now() < troubledUntil) {
      later(troubledUntil - now() + 1)
      return
    }
    for (let window = nextToFence(); window; window = nextToFence()) {
      // With several campaigns at once each gets a share, so that none waits behind another's whole window.
      const room = mayFence()
      const share = Math.ceil(room / Math.max(1, windows.size))
      void advance(window, Math.min(room, Math.max(window.nextSize(), share)))
    }
    for (const window of windows.all()) {
      if (window.isStepping()) continue
      const since = window.unwrittenSince()
      if (since !== null) write(window, now() - since)
      else returns.tend(window)
    }
  }

  /** How many more deliveries may be put in flight now. */
  const mayFence = (): number => (isDraining ? 0 : capacity.room())

  function nextToFence(): WindowRun | null {
    const more = mayFence()
    if (!capacity.isWorthAStep(more)) return null
    return windows.next((window) => {
      const size = window.nextSize()
      const fits = size <= more || (health.isProbing() && more > 0 && window.isNextFresh())
      return !window.isStepping() && !window.isHalted() && size > 0 && fits
    })
  }

  function write(window: WindowRun, age: number): void {
    const isTime = age >= GATHER_MS || window.unwritten() >= GATHER_MAX || traffic.underWay.calls === 0
    const share = Math.min(window.waiting(), Math.floor(mayFence() / Math.max(1, windows.size)))
    if (isTime) void advance(window, share)
    else later(GATHER_MS - age)
  }

  async function advance(window: WindowRun, share: number): Promise<void> {
    const calls = Math.ceil(Math.min(share, window.waiting()) / Math.max(1, window.nextSize()))
    count(traffic.fencing, calls, share)
    try {
      const fenced = await window.step(share, now(), health.isProbing())
      ready.push(...fenced)
      for (const { call } of fenced) count(traffic.ready, 1, call.deliveries.length)
      needs.progressed(window)
      if (window.isHalted()) provider.recall?.()
      else if (window.waiting() < LOW) needs.wantsMore(window)
    } catch (error) {
      failed(error)
    }
    count(traffic.fencing, -calls, -share)
    turn()
  }

  function failed(error: unknown): void {
    if (!isDatabaseAway(error)) log.error({ err: error }, 'a step of the delivery failed and is repeated')
    needs.troubled(error)
    troubledUntil = now() + RETRY_MS
  }

  function empty(): Promise<void> {
    isDraining = true
    provider.recall?.()
    const { promise, resolve } = Promise.withResolvers<void>()
    waitForEmptiness.push(resolve)
    turn()
    return promise
  }

  return {
    add(window) {
      windows.add(window.campaign.userId, window)
      turn()
    },
    windows: () => windows.all(),
    isEmpty: () => windows.size === 0,
    isWatching: () => health.isHeld() || health.isProbing(),
    trips: health.trips,
    duringOutage: stumbles.duringOutage,
    drain(giveUp) {
      if (giveUp.aborted) aborting.abort()
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
