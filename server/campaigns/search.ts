import type { DeliveryRow } from '../delivery/told.ts'
import type { Place } from '../platform/cursors.ts'
import type { Database } from '../platform/database.ts'
import { type SearchedDeliveries, searchDeliveries } from './store/deliveries.ts'
import { type HistoryFilter, type Scan, scanCampaigns } from './store/history.ts'

/**
 * Searches that nobody has to wait for, however much there is to look through: piece by piece, and once the time is up
 * they hand over what they have found, and where to go on. Only who finds nothing looks to the end, so that "nothing"
 * is always true.
 */
type Search = {
  /** One more than `limit`, where there are as many. */
  campaigns(userId: string, filter: HistoryFilter, before: Place | null, limit: number): Promise<Scan>
  /** `atMost`: so many can be found in all. `reached`: where to go on; null when nothing is left. */
  deliveries(
    campaignId: string,
    filter: SearchedDeliveries,
    range: { after: number; limit: number; lastSeq: number; atMost: number },
  ): Promise<{ rows: DeliveryRow[]; reached: number | null }>
}

/** Together with the last piece, well within what a person takes for at once. */
const SEARCH_MS = 15
/** Each some milliseconds of the database's time. */
const CAMPAIGNS_AT_ONCE = 500
const DELIVERIES_AT_ONCE = 5_000

export function createSearch({ db, searchMs = SEARCH_MS }: { db: Database; searchMs?: number }): Search {
  return {
    async campaigns(userId, filter, start, limit) {
      const isFiltered = filter.status !== null || filter.search !== null
      const atMost = isFiltered ? CAMPAIGNS_AT_ONCE : limit + 1
      const isTimeUp = timer(searchMs)
      const found: Scan['found'] = []
      for (let before = start; ; ) {
        const missing = limit + 1 - found.length
        const scan = await scanCampaigns(db, userId, filter, { before, atMost, limit: missing })
        found.push(...scan.found)
        if (found.length > limit || scan.reached === null || (found.length > 0 && isTimeUp()))
          return { found, reached: scan.reached }
        before = scan.reached
      }
    },

    async deliveries(campaignId, filter, { after: start, limit, lastSeq, atMost }) {
      const isTimeUp = timer(searchMs)
      const rows: DeliveryRow[] = []
      for (let after = start; rows.length < atMost; ) {
        const upTo = after + DELIVERIES_AT_ONCE
        const missing = limit + 1 - rows.length
        rows.push(...(await searchDeliveries(db, campaignId, filter, { after, upTo, limit: missing })))
        if (rows.length > limit) return { rows: rows.slice(0, limit), reached: rows[limit - 1]?.seq ?? null }
        if (upTo >= lastSeq) return { rows, reached: null }
        if (rows.length > 0 && isTimeUp()) return { rows, reached: upTo }
        after = upTo
      }
      return { rows, reached: null }
    },
  }
}

function timer(milliseconds: number): () => boolean {
  const deadline = performance.now() + milliseconds
  return () => performance.now() >= deadline
}
