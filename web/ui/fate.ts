import type { DeliveryCounts } from '../../contract/campaigns.ts'
import { waitingOf } from '../../contract/under-way.ts'

/** What became of a campaign's recipients; the counts add up to all of them. */
export interface Fate {
  accepted: number
  failed: number
  unconfirmed: number
  waiting: number
  /** Left out on purpose: the campaign was cancelled before their turn, or they are on the list of those to spare. */
  cancelled?: number
  suppressed?: number
}

export const fateOf = (counts: DeliveryCounts): Required<Fate> => ({
  accepted: counts.accepted,
  failed: counts.failed,
  unconfirmed: counts.unknown,
  waiting: waitingOf(counts),
  cancelled: counts.cancelled,
  suppressed: counts.suppressed,
})
