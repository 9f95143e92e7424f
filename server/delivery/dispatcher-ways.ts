import type { Database } from '../platform/database.ts'
import { LEASE_MS, noteWay, wayOf } from './store/leases.ts'

/** Whoever took an account over and lives has taken the work by then; it looks once a second. */
const PATIENCE_MS = 3 * LEASE_MS
/** Asked more rarely than this, a worker has had nothing to do meanwhile, and so has not seen that nobody came. */
const GAP_MS = LEASE_MS

/**
 * While the product's provider is changed, workers with the old one and the new one run side by side. A mail that is in
 * doubt may be asked about at the very provider only that was called, so one of the two sends and the other one waits.
 */
export type Ways = {
  /** Whether this worker, with the provider that it has, may send by an account now. */
  isOurs(account: string, identity: string): Promise<boolean>
}

export function createWays(db: Database, now: () => number = () => performance.now()): Ways {
  const noted = new Map<string, string>()
  /** Accounts by which others would send, and nobody does. */
  const deserted = new Map<string, { since: number; seenAt: number }>()

  async function note(account: string, identity: string): Promise<true> {
    await noteWay(db, account, identity)
    noted.set(account, identity)
    deserted.delete(account)
    return true
  }

  return {
    async isOurs(account, identity) {
      // At first sight only: who notes it again and again would take it from the one that is to follow.
      if (noted.get(account) !== identity) return note(account, identity)
      const way = await wayOf(db, account, identity)
      if (way !== 'deserted') deserted.delete(account)
      if (way !== 'deserted') return way === 'ours'
      const before = deserted.get(account)
      const since = before && now() - before.seenAt < GAP_MS ? before.since : now()
      deserted.set(account, { since, seenAt: now() })
      // The new worker is gone, as when an update is rolled back: without us nobody would send any more.
      return now() - since >= PATIENCE_MS && note(account, identity)
    },
  }
}
