import type { Health } from './health.ts'
import { LEASE_MS } from './store/leases.ts'
import type { WindowRun } from './window-run.ts'

/** How windows leave a lane: those that hold nothing more, and what a lane must not send any more. */
type Returns = {
  /** Of a window that neither steps nor has anything to write: gives back what does not belong here any more. */
  tend(window: WindowRun): void
  isUnderWay(): boolean
}

type Needs = {
  health: Pick<Health, 'heldMs'>
  isDraining: () => boolean
  remove: (window: WindowRun) => void
  /** The window holds nothing more (`done`), or goes back with what it still holds. */
  release: (window: WindowRun, isDone: boolean) => Promise<void>
  released: (window: WindowRun) => void
  /** The database did not do it: it is asked again in a moment. */
  failed: (error: unknown) => void
  troubled: (error: unknown) => void
  turn: () => void
}

export function createReturns(needs: Needs): Returns {
  let releasing = 0

  /** During a long hold nothing is kept in hand: how long a doubtful call may still be repeated is judged anew later. */
  const isStopped = (window: WindowRun): boolean =>
    window.isHalted() || needs.isDraining() || needs.health.heldMs() > LEASE_MS

  const isOver = (window: WindowRun): boolean =>
    window.isLost() || window.isEmpty() || (isStopped(window) && window.isQuiet())

  async function giveBack(window: WindowRun): Promise<void> {
    needs.remove(window)
    releasing += 1
    // A window that cannot be given back now is taken over once its lease has run out.
    if (!window.isLost()) await needs.release(window, window.isEmpty()).catch(needs.troubled)
    releasing -= 1
    needs.released(window)
    needs.turn()
  }

  /** A call may stay unanswered for minutes: whoever only waits behind it is free for others, or for a new lane. */
  async function part(window: WindowRun): Promise<void> {
    await window.part().catch(needs.failed)
    needs.turn()
  }

  return {
    tend(window) {
      if (isOver(window)) void giveBack(window)
      else if (isStopped(window) && window.waiting() > 0) void part(window)
    },
    isUnderWay: () => releasing > 0,
  }
}
