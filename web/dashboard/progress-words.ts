import type { DeliveryCounts } from '../../contract/campaigns.ts'
import { inWords } from '../ui/words.ts'

/** "1,204 of 5,000 accepted · 3 failed · 12 unconfirmed" */
export function progressWords(counts: DeliveryCounts): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return [
    `${inWords(counts.accepted)} of ${inWords(all)} accepted`,
    counts.failed > 0 && `${inWords(counts.failed)} failed`,
    counts.unknown > 0 && `${inWords(counts.unknown)} unconfirmed`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** Of those beyond the ones that are shown; `hasMore` when nobody has counted all of them. */
export const othersWords = (others: number, hasMore: boolean): string =>
  others > 0 ? `${inWords(others)}${hasMore ? '+' : ''} more in History` : 'More in History'
