import type { Letter } from '../providers/provider.ts'
import { asProbe, type Call, fencedPart, fenceOf, partsOf, sizeOf, unknowable } from './calls.ts'
import { notBegun } from './settlement.ts'
import { LEASE_MS, nextTokenOf } from './store/leases.ts'
import type { Settlement, StepOptions, StepResult, ToFence, WindowKey } from './store/steps.ts'

export type CampaignInHand = { id: string; userId: string; letter: Letter }

/** A call whose deliveries are in flight, durably: it may now be made, once. */
export type FencedCall = {
  call: Call
  window: WindowRun
  fencedAt: number
  /** The same by the clock on the wall, which goes on while the machine is suspended. */
  fencedAtWall: number
}

type Step = (
  key: WindowKey,
  settlements: readonly Settlement[],
  toFence: readonly ToFence[],
  options: StepOptions,
) => Promise<StepResult>

/** A window in this worker's hands: what still waits, what is in flight, what has to be written down. */
export type WindowRun = {
  /** As it is now: its token is another one after a statement whose answer was lost. */
  readonly key: WindowKey
  readonly campaign: CampaignInHand
  /** Deliveries that were not put in flight yet. */
  waiting(): number
  /** The size of the next call, or 0. */
  nextSize(): number
  /** Whether the next call may go out in smaller pieces: not if it repeats one that was. */
  isNextFresh(): boolean
  /** Outcomes that are not written yet, and when the first of them came in. */
  unwritten(): number
  unwrittenSince(): number | null
  isStepping(): boolean
  /** Until then the lease is ours for certain, whatever the database may say to others meanwhile. */
  isLeased(now: number): boolean
  /** Nothing waits, flies or has to be written: the window may be given back. */
  isEmpty(): boolean
  isQuiet(): boolean
  renewed(askedAt: number): void
  lose(): void
  isLost(): boolean
  /** No further call of this window shall be made in this process. */
  isHalted(): boolean
  /**
   * The outcomes of a call that was made, or that will not be made after all. One that was cut short comes back in
   * halves: what took too long as a whole, such as the search for one bad address, gets done piece by piece.
   */
  write(call: Call, settlements: readonly Settlement[], isCutShort?: boolean): void
  /**
   * Writes what came in and puts up to `allowance` further deliveries in flight: one statement, one commit. Whole calls,
   * unless a part of one may go first: to show whether the provider is back.
   */
  step(allowance: number, now: number, maySplit?: boolean): Promise<FencedCall[]>
  /** Opens what waits for whoever claims it next; what is in flight or has to be written stays. Then nothing more waits. */
  part(): Promise<void>
}

export function createWindowRun({
  campaign,
  calls,
  hopeless,
  step,
  replaceToken,
  openWaiting,
  claimedAt,
  ...claimed
}: {
  key: WindowKey
  campaign: CampaignInHand
  calls: readonly Call[]
  hopeless: readonly Settlement[]
  step: Step
  replaceToken: (key: WindowKey, next: string) => Promise<void>
  /** False when the lease is lost. */
  openWaiting: (key: WindowKey, seqs: readonly number[]) => Promise<boolean>
  claimedAt: number
}): WindowRun {
  let { key } = claimed
  let nextToken = nextTokenOf(key)
  let waitingCalls = [...calls]
  let waiting = calls.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
  let flying = 0
  let unwritten: Settlement[] = [...hopeless]
  let unwrittenSince = claimedAt
  /** Calls that come back to the queue once it is written that they do. */
  let returning: Call[] = []
  /** Who was in flight and came back: they may have come onto the suppression list meanwhile. */
  const returned = new Set<number>()
  let leasedUntil = claimedAt + LEASE_MS
  let stepping = false
  let isAnswerLost = false
  let isLost = false
  let isHalted = false

  function takeCalls(allowance: number, maySplit: boolean): Call[] {
    const taken: Call[] = []
    let left = allowance
    if (maySplit && left > 0) waitingCalls = asProbe(waitingCalls, left)
    for (const call of waitingCalls) {
      if (call.deliveries.length > left) break
      taken.push(call)
      left -= call.deliveries.length
    }
    waitingCalls = waitingCalls.slice(taken.length)
    return taken
  }

  function comesBack(call: Call): Call {
    for (const { seq } of call.deliveries) returned.add(seq)
    return call
  }

  /** Of a call that may be in flight and was not made. */
  function takeBack(call: Call): void {
    unwritten.push(...call.deliveries.map((one) => notBegun(one)))
    if (call.deliveries.length > 0) returning.push(comesBack(call))
  }

  /**
   * What was not answered may reach the database at any time. A step, when it was repeated and its deliveries are in flight
   * again, in the attempt that it speaks of: it would take them back, and they would be mailed twice. A parting, when some
   * of those who waited are in flight: it would open them, and whoever claims them knows of no answer. So the next statement
   * goes under another token, after which the old one changes nothing. Asked for again, this changes nothing.
   */
  async function shutOutLateStatement(): Promise<void> {
    await replaceToken(key, nextToken)
    key = { ...key, token: nextToken }
    nextToken = nextTokenOf(key)
    isAnswerLost = false
  }

  /** One statement at a time, and none beside an earlier one that may come late. */
  async function ask<Result>(statement: () => Promise<Result>): Promise<Result> {
    stepping = true
    try {
      if (isAnswerLost) await shutOutLateStatement()
      return await statement()
    } catch (error) {
      isAnswerLost = true
      throw error
    } finally {
      stepping = false
    }
  }

  function putBack(calls: readonly Call[]): void {
    waitingCalls = [...calls, ...waitingCalls]
  }

  async function writeAndFence(allowance: number, now: number, maySplit: boolean): Promise<FencedCall[]> {
    const wallNow = Date.now()
    const settlements = unwritten
    const comingBack = returning
    const taken = isHalted ? [] : takeCalls(allowance, maySplit)
    unwritten = []
    returning = []
    try {
      const toFence = taken.flatMap(fenceOf)
      const { holds, maySend, fenced } = await step(key, settlements, toFence, {
        // A repeated call stays whole, whoever has left.
        returned: toFence.filter(({ seq, isRepeat }) => !isRepeat && returned.has(seq)).map(({ seq }) => seq),
      })
      if (!holds) run.lose()
      if (!maySend) isHalted = true
      putBack(comingBack)
      waiting += sizeOf(comingBack)
      if (!maySend) putBack(taken)
      if (!maySend) return []
      waiting -= sizeOf(taken)
      const parts = taken.map((call) => ({ call, part: fencedPart(call, fenced) }))
      const isWhole = ({ call, part }: (typeof parts)[number]) =>
        part.deliveries.length === call.deliveries.length
      for (const { part } of parts.filter((entry) => !isWhole(entry))) {
        // A repetition that lacks somebody would be another call to the provider, and another mail to the rest.
        if (part.isRepeat) unwritten.push(...part.deliveries.map((one) => unknowable(one, one.attempts + 1)))
        // The rows tell how large their call is: one that lacks somebody could not be repeated after a crash. It is put
        // in flight anew as it is now.
        else takeBack(part)
      }
      const ready = parts.filter(isWhole)
      flying += sizeOf(ready.map(({ part }) => part))
      return ready.map(({ part }) => ({ call: part, window: run, fencedAt: now, fencedAtWall: wallNow }))
    } catch (error) {
      // Nobody knows whether the statement was committed. Written again, outcomes change nothing twice; and what it
      // may have put in flight was never called, so it is certain that it can be taken back.
      unwritten = [
        ...settlements,
        ...taken.flatMap(({ deliveries }) => deliveries.map((one) => notBegun(one))),
        ...unwritten,
      ]
      returning = [...comingBack, ...taken.map(comesBack), ...returning]
      waiting -= sizeOf(taken)
      throw error
    }
  }

  const run: WindowRun = {
    get key() {
      return key
    },
    campaign,
    waiting: () => waiting,
    nextSize: () => waitingCalls[0]?.deliveries.length ?? 0,
    isNextFresh: () => waitingCalls[0]?.isRepeat === false,
    unwritten: () => unwritten.length,
    unwrittenSince: () => (unwritten.length === 0 ? null : unwrittenSince),
    isStepping: () => stepping,
    isLeased: (now) => !isLost && now < leasedUntil,
    isEmpty: () => run.isQuiet() && waiting === 0,
    isQuiet: () => flying === 0 && unwritten.length === 0 && !stepping,
    renewed(askedAt) {
      leasedUntil = askedAt + LEASE_MS
    },
    lose() {
      isLost = true
      isHalted = true
    },
    isLost: () => isLost,
    isHalted: () => isHalted,

    write(call, settlements, isCutShort = false) {
      flying -= call.deliveries.length
      if (unwritten.length === 0) unwrittenSince = performance.now()
      unwritten.push(...settlements)
      const seqs = new Set(
        settlements
          .filter(({ state, waitMs }) => waitMs === null && (state === 'q' || state === 'i'))
          .map(({ seq }) => seq),
      )
      if (seqs.size === 0) return
      const deliveries = call.deliveries.filter(({ seq }) => seqs.has(seq))
      const whole = comesBack({ deliveries, isRepeat: call.isRepeat })
      const isParted = isCutShort && !call.isRepeat && deliveries.length > 1
      returning.push(...(isParted ? partsOf(whole, Math.ceil(deliveries.length / 2)) : [whole]))
    },

    step: (allowance, now, maySplit = false) => ask(() => writeAndFence(allowance, now, maySplit)),

    part: () =>
      ask(async () => {
        const seqs = waitingCalls.flatMap(({ deliveries }) => deliveries.map(({ seq }) => seq))
        if (!(await openWaiting(key, seqs))) run.lose()
        waitingCalls = []
        waiting = 0
      }),
  }
  return run
}
