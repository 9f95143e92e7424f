import type { DeliveryCounts, HistoryEntry } from '../../contract/campaigns.ts'
import { waitingOf } from '../../contract/under-way.ts'
import { inWords } from '../ui/words.ts'

/** What is known of a campaign's progress, on the list and on its page alike. */
export type Standing = Pick<HistoryEntry, 'counts' | 'state' | 'pausedReason' | 'recipientCount'>

/** How many have come to an end, whichever it was. */
export const settledOf = ({ accepted, failed, unknown, suppressed, cancelled }: DeliveryCounts): number =>
  accepted + failed + unknown + suppressed + cancelled

/** "1,204 of 5,000 accepted · 3 failed · about 2 min left". */
export function progressWords({ counts, state, recipientCount }: Standing, left: string | null): string {
  const parts = [`${inWords(counts.accepted)} of ${inWords(recipientCount)} accepted`]
  if (counts.failed > 0) parts.push(`${inWords(counts.failed)} failed`)
  if (counts.unknown > 0) parts.push(`${inWords(counts.unknown)} unconfirmed`)
  if (state === 'cancelled') parts.push(`${inWords(waitingOf(counts))} being cancelled`)
  if (state === 'paused') parts.push(`${inWords(waitingOf(counts))} waiting`)
  if (state === 'sending' && left !== null) parts.push(left)
  return parts.join(' · ')
}
