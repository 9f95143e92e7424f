import type { Stats } from '../../contract/stats.ts'
import type { Totals } from './store.ts'

/** The statistics of the dashboard: every recipient is in exactly one of the first groups. */
export function statsOf(totals: Totals): Stats {
  const { accepted, failed, unknown, suppressed, cancelled, delivered, bounced, complained, opened } = totals
  const pending = totals.queued + totals.inFlight
  return {
    total: accepted + failed + pending + unknown + suppressed + cancelled,
    totalSent: accepted,
    totalFailed: failed,
    totalPending: pending,
    totalUnconfirmed: unknown,
    totalSuppressed: suppressed,
    totalCancelled: cancelled,
    totalDelivered: delivered,
    totalBounced: bounced,
    totalComplained: complained,
    totalOpened: opened,
    // Whoever is still waiting, in doubt, or was never meant to be reached, has neither succeeded nor failed.
    successRate: rate(accepted, accepted + failed),
    deliveryRate: rate(delivered, accepted),
    bounceRate: rate(bounced, accepted),
    spamRate: rate(complained, accepted),
    openRate: rate(opened, delivered),
  }
}

/** A percentage with one decimal. Not every provider reports everything: more openings than deliveries are all of them. */
const rate = (part: number, whole: number): string =>
  (whole === 0 ? 0 : Math.min(100, (part / whole) * 100)).toFixed(1)
