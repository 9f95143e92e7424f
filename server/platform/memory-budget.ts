import { AppError } from './errors.ts'
import { type Claim, type Holder, inOrderOfLoss } from './memory-loss.ts'

/** What large things may take in memory, all together. Whoever finds no room waits, and holds nothing meanwhile. */
export type MemoryBudget = {
  /** `owner`: on whose behalf. Whoever has much of it, in several shares, gives way to those who have less. */
  share(owner?: string): MemoryShare
}

export type MemoryShare = Disposable & {
  /** Returns once this share may be so many bytes larger; where that takes too long, or all is lost, it answers 503. */
  grow(bytes: number): Promise<void>
  /**
   * What it holds is still coming in, and may be lost to others until this is disposed of: to anybody where nothing more
   * comes, and where its owner has several of them, to owners who hold less. `lose` forgets the bytes at once.
   */
  filling(lose: () => void): Disposable
}

type Options = {
  bytes: number
  /** How long somebody waits for room; shorter than a caller waits for an answer. */
  patienceMs?: number
  /** What has not grown for so long, although it could, comes in too slowly to be kept while others wait. */
  stalledMs?: number
}

const PATIENCE_MS = 10_000
const STALLED_MS = 5_000
/** How often those who wait look whether somebody has to give way by now. */
const LOOKS = 10

type Place = { holder: Holder; bytes: number; enter(): void; leave(): void }

export function createMemoryBudget(options: Options): MemoryBudget {
  const { bytes: total, patienceMs = PATIENCE_MS, stalledMs = STALLED_MS } = options
  let used = 0
  let unnamed = 0
  const holders = new Set<Holder>()
  const heldBy = new Map<string, number>()
  /**
   * In turn, so that somebody large is not overtaken for ever by the small. But whoever holds more comes first: only when
   * they are done is there room for the others.
   */
  const waiting: Place[] = []

  const fits = (bytes: number): boolean => used + bytes <= total

  function count(holder: Holder, change: number): void {
    used += change
    holder.held += change
    const now = (heldBy.get(holder.owner) ?? 0) + change
    if (now === 0) heldBy.delete(holder.owner)
    else heldBy.set(holder.owner, now)
  }

  function letIn(): void {
    for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) next.enter()
  }

  function give(holder: Holder, bytes: number): void {
    count(holder, bytes)
    holder.grownAt = performance.now()
  }

  function release(holder: Holder): void {
    count(holder, -holder.held)
    holders.delete(holder)
  }

  /** To an owner who would still hold less than that of the other, who may lose what it has. */
  const givesWay = (one: Holder, { claimant, bytes }: Claim): boolean =>
    one.lose !== null &&
    one.owner !== claimant.owner &&
    (heldBy.get(one.owner) ?? 0) > (heldBy.get(claimant.owner) ?? 0) + bytes

  /** True where there is room then. Where it would not be enough, nobody loses anything. */
  function makeRoom(claim: Claim): boolean {
    const now = performance.now()
    const hasStalled = ({ waits, grownAt }: Holder): boolean => !waits && now - grownAt >= stalledMs
    const losers: Holder[] = []
    let free = total - used
    for (const loser of inOrderOfLoss(holders, claim, hasStalled)) {
      losers.push(loser)
      free += loser.held
      if (free >= claim.bytes) break
    }
    if (free < claim.bytes) return false
    for (const loser of losers) takeAway(loser)
    return true
  }

  function takeAway(loser: Holder): void {
    const { lose } = loser
    loser.lose = null
    leaveAll(loser)
    release(loser)
    lose?.()
  }

  /** Nobody whose share has ended is let in any more. */
  function leaveAll(holder: Holder): void {
    for (const place of waiting.filter((one) => one.holder === holder)) place.leave()
  }

  function mayEnter(claim: Claim, ahead: readonly Place[]): boolean {
    return fits(claim.bytes) ? ahead.every(({ holder }) => givesWay(holder, claim)) : makeRoom(claim)
  }

  function claim(holder: Holder, bytes: number): Promise<void> {
    if (bytes > total) throw full()
    const ahead = waiting.filter((one) => one.holder.held >= holder.held)
    if (!mayEnter({ claimant: holder, bytes }, ahead)) return wait(holder, bytes, ahead.length)
    give(holder, bytes)
    return Promise.resolve()
  }

  function wait(holder: Holder, bytes: number, before: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const looking = setInterval(() => {
      if (mayEnter({ claimant: holder, bytes }, waiting.slice(0, waiting.indexOf(place)))) enter()
    }, patienceMs / LOOKS)
    const timer = setTimeout(() => {
      place.leave()
      // Whoever stood behind may be small enough.
      letIn()
    }, patienceMs)

    function end(): void {
      waiting.splice(waiting.indexOf(place), 1)
      clearInterval(looking)
      clearTimeout(timer)
      holder.waits = false
    }
    function enter(): void {
      end()
      give(holder, bytes)
      resolve()
    }
    function leave(): void {
      end()
      reject(full())
    }
    const place: Place = { holder, bytes, enter, leave }
    holder.waits = true
    waiting.splice(before, 0, place)
    return promise
  }

  return {
    share(owner = `nobody ${++unnamed}`) {
      const holder: Holder = { owner, held: 0, grownAt: performance.now(), waits: false, lose: null }
      let isLost = false
      return {
        async grow(bytes) {
          if (isLost) throw full()
          holders.add(holder)
          await claim(holder, bytes)
        },
        filling(lose) {
          holder.lose = () => {
            isLost = true
            lose()
          }
          return {
            [Symbol.dispose]() {
              holder.lose = null
            },
          }
        },
        [Symbol.dispose]() {
          // Whoever has taken it away has a use for all of it.
          if (isLost) return
          // What were taken after the end would never be given back.
          isLost = true
          leaveAll(holder)
          release(holder)
          letIn()
        },
      }
    },
  }
}

const full = (): AppError =>
  new AppError(503, 'Too many large mails arrive at the moment. Please try again in a few seconds', {
    headers: { 'retry-after': '5' },
  })
