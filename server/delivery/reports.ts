import type { Database, Transaction } from '../platform/database.ts'
import type { ProviderEvent } from '../providers/events.ts'
import type { DispatcherNeeds } from './dispatcher.ts'
import { dangerOf, type Limits } from './protection.ts'
import { recordEvents } from './store/events.ts'
import { pauseAllOf, recordOf } from './store/protection.ts'

/** The account that all share: what one does with it is everybody's harm. */
export type Shared = {
  account: string
  limits: Limits
  /** Campaigns of this user were paused for that reason. */
  paused: (tx: Transaction, what: { userId: string; reason: string }) => Promise<void>
}

type Needs = Pick<DispatcherNeeds, 'progressed'> & {
  db: Database
  shared: Shared
  leaveOut: (userId: string, keys: readonly string[]) => Promise<void>
}

/** Notes what was reported about deliveries, and does what it asks for. */
export function createReports({ db, shared, progressed, leaveOut }: Needs) {
  /** The reason and the mail to the user commit together with the pause. */
  async function protect(userId: string): Promise<void> {
    const { account, limits, paused } = shared
    const reason = dangerOf(await recordOf(db, userId, account), limits)
    if (reason === null) return
    const stopped = await db.transaction().execute(async (tx) => {
      const campaigns = await pauseAllOf(tx, { userId, account, reason })
      if (campaigns.length > 0) await paused(tx, { userId, reason })
      return campaigns
    })
    for (const campaign of stopped) progressed(campaign)
  }

  return async (account: string | null, events: readonly ProviderEvent[]): Promise<void> => {
    const inDoubt = new Set<string>()
    const failures: unknown[] = []
    try {
      for await (const { moved, suppressed } of recordEvents(db, account, events)) {
        for (const campaign of moved) {
          progressed(campaign)
          if (campaign.isWorse && campaign.account === shared.account) inDoubt.add(campaign.userId)
        }
        // Before whatever else may fail: a worker may be about to send what it has claimed for them.
        for (const [userId, found] of Map.groupBy(suppressed, (one) => one.userId))
          await leaveOut(
            userId,
            found.map(({ key }) => key),
          )
      }
    } catch (error) {
      failures.push(error)
    }
    // Also where something failed: told again, these reports are no news.
    for (const userId of inDoubt) await protect(userId).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}
