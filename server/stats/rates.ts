import type { Stats } from '../../contract/stats.ts'
import { waitingOf } from '../../contract/under-way.ts'
import type { Totals } from './store.ts'

/**
 * The statistics of the dashboard: every recipient is in exactly one group. Who was left out or cancelled was sent
 * nothing, and is in no total.
 */
export function statsOf(totals: Totals): Stats {
  const {
    accepted,
    failed,
    unknown,
    suppressed,
    cancelled,
    delivered,
    bounced,
    complained,
    opened,
    arrived,
  } = totals
  const pending = waitingOf(totals)
  return {
    total: accepted + failed + pending + unknown,
    totalSent: accepted,
    totalFailed: failed,
    totalPending: pending,
    totalUnconfirmed: unknown,
    totalSuppressed: suppressed,
    totalCancelled: cancelled,
    totalDelivered: delivered,
    isDeliveryPresumed: totals.isPresumed,
    totalBounced: bounced,
    totalComplained: complained,
    totalOpened: opened,
    // Whoever is still waiting, in doubt, or was never meant to be reached, has neither succeeded nor failed.
    successRate: rate(accepted, accepted + failed),
    deliveryRate: rate(delivered, accepted),
    bounceRate: rate(bounced, accepted),
    spamRate: rate(complained, accepted),
    openRate: rate(opened, arrived),
  }
}

/** Not every provider reports all of it: more openings than arrivals are all of them. */
const rate = (part: number, whole: number): string =>
  rounded(whole === 0 ? 0 : Math.min(100, (part / whole) * 100))

const DECIMALS_MAX = 6

/**
 * A percentage with one decimal, or with as many as it takes: some complaints are not 0.0 %, and nearly all is not
 * 100.0 %. Below one percent, where the limit for complaints lies, the second decimal counts as well.
 */
function rounded(percent: number): string {
  const isRound = percent === 0 || percent === 100
  let decimals = percent < 1 ? 2 : 1
  while (!isRound && decimals < DECIMALS_MAX && Number(percent.toFixed(decimals)) % 100 === 0) decimals += 1
  return percent.toFixed(decimals).replace(/(\.\d+?)0+$/, '$1')
}
