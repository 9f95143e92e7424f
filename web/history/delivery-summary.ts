import type { HistoryEntry } from '../../contract/campaigns.ts'
import { isMoving } from '../../contract/under-way.ts'
import type { Tone } from '../ui/tones.ts'
import { inWords } from '../ui/words.ts'

type SummaryPart = { name: string; value: string; tone: Tone }

type Counts = Pick<
  HistoryEntry,
  | 'state'
  | 'counts'
  | 'successfulCount'
  | 'unconfirmedCount'
  | 'deliveredCount'
  | 'bouncedCount'
  | 'complainedCount'
  | 'openedCount'
>

/** What the provider has told of a campaign's mails; nothing at all is told as "Pending...". */
export const isReported = (entry: Counts): boolean =>
  entry.deliveredCount + entry.bouncedCount + entry.complainedCount > 0

/** Delivered of those that were accepted, as a whole number; 0 where nothing was accepted. */
export const deliveredPercent = (delivered: number, successful: number): number =>
  successful > 0 ? Math.round((delivered / successful) * 100) : 0

export const deliveredWords = ({ deliveredCount, successfulCount }: Counts): string =>
  `${inWords(deliveredCount)} (${deliveredPercent(deliveredCount, successfulCount)}%)`

/** The Delivery column in its order. */
export function summaryOf(entry: Counts): SummaryPart[] {
  const parts: SummaryPart[] = []
  const add = (name: string, count: number, tone: Tone) => {
    if (count > 0) parts.push({ name, value: inWords(count), tone })
  }
  if (isReported(entry)) parts.push({ name: 'Delivered', value: deliveredWords(entry), tone: 'delivered' })
  add('Bounced', entry.bouncedCount, 'bounced')
  add('Spam', entry.complainedCount, 'failed')
  add('Opened', entry.openedCount, 'opened')
  add('Unconfirmed', entry.unconfirmedCount, 'unconfirmed')
  // While a campaign is on its way the line below tells these.
  if (isMoving(entry)) return parts
  add('Failed', entry.counts.failed, 'failed')
  add('Cancelled', entry.counts.cancelled, 'cancelled')
  add('Left out', entry.counts.suppressed, 'leftOut')
  return parts
}
