import { LEASE_MS } from './store/leases.ts'

/** After a start, those who were cut off from the database meanwhile get a moment to renew their leases first. */
const SETTLING_MS = 1_000

/** Whether a worker whose lease has run out may be called dead, and what it held be taken over. */
type Takeover = {
  mayBegin(): boolean
  /** Nothing could be asked of the database; so it may have been for others. */
  noteOutage(): void
  /**
   * To be called every second or so: where it was not, this process stood still, and the others perhaps with it. Leases
   * run by the clock on the wall, which goes on while a machine is suspended, and jumps where it is put right; ours does
   * neither.
   */
  noteTurn(): void
}

/** Whoever was cut off or stood still as we did must have time to come back before we call them dead. */
export function createTakeover(
  now: () => number = () => performance.now(),
  wallNow: () => number = () => Date.now(),
): Takeover {
  let settledSince = now() - LEASE_MS + SETTLING_MS
  let turn = { at: now(), wall: wallNow() }

  function noteTurn(): void {
    if (Math.max(now() - turn.at, wallNow() - turn.wall) > LEASE_MS / 2) settledSince = now()
    turn = { at: now(), wall: wallNow() }
  }

  return {
    noteTurn,
    noteOutage() {
      settledSince = now()
    },
    mayBegin() {
      noteTurn()
      return now() - settledSince >= LEASE_MS
    },
  }
}
