import type { CampaignProgress, DeliveryCounts } from '../../contract/campaigns.ts'
import { waitingOf } from '../../contract/under-way.ts'
import { type Markup, markup } from './markup.ts'

/** What became of recipients, in the colours of the screens; every recipient is in exactly one. */
const PARTS = [
  { block: '🟩', name: 'accepted', count: ({ accepted }) => accepted },
  { block: '🟥', name: 'failed', count: ({ failed }) => failed },
  { block: '⬜', name: 'unconfirmed', count: ({ unknown }) => unknown },
  { block: '🟦', name: 'waiting', count: waitingOf },
  // Who was sent nothing on purpose has no colour: dark for the cancelled, hollow for those who were left out.
  { block: '⬛', name: 'cancelled', count: ({ cancelled }) => cancelled },
  { block: '🔲', name: 'left out', count: ({ suppressed }) => suppressed },
] as const satisfies readonly { block: string; name: string; count: (counts: DeliveryCounts) => number }[]

/** As many as fit beside each other on a small phone. */
export const BAR_BLOCKS = 12

export const recipientsOf = (counts: DeliveryCounts): number =>
  PARTS.reduce((sum, { count }) => sum + count(counts), 0)

/** The fate of a campaign in blocks: always as many, and whatever there is has at least one. */
export function barOf(counts: DeliveryCounts, blocks = BAR_BLOCKS): string {
  const present = PARTS.map(({ block, count }) => ({ block, count: count(counts) })).filter(
    ({ count }) => count > 0,
  )
  const total = recipientsOf(counts)
  // First one each, then the next to whoever has the fewest for its share: the largest part never looks smaller than it is.
  const widths = present.map(() => 1)
  for (let given = present.length; given < blocks && present.length > 0; given++) {
    const missing = present.map(({ count }, index) => (count / total) * blocks - (widths[index] ?? 0))
    const next = missing.indexOf(Math.max(...missing))
    widths[next] = (widths[next] ?? 0) + 1
  }
  return present.map(({ block }, index) => block.repeat(widths[index] ?? 0)).join('')
}

/** A line for each part that there is; together they are all recipients. */
export function countsOf({ counts }: Pick<CampaignProgress, 'counts'>): Markup[] {
  return PARTS.filter(({ name, count }) => name === 'accepted' || count(counts) > 0).map(
    ({ block, name, count }) => markup`${block} <b>${count(counts)}</b> ${name}`,
  )
}

type Reported = Pick<
  CampaignProgress,
  'successfulCount' | 'deliveredCount' | 'bouncedCount' | 'complainedCount' | 'openedCount'
>

/** What was reported of those that were accepted; null where nothing was. */
export function reportsOf(progress: Reported): Markup | null {
  const { successfulCount, deliveredCount, bouncedCount, complainedCount, openedCount } = progress
  const parts = [
    { block: '🟧', name: 'bounced', count: bouncedCount },
    { block: '🟥', name: 'spam', count: complainedCount },
    { block: '🟪', name: 'opened', count: openedCount },
  ].filter(({ count }) => count > 0)
  if (deliveredCount === 0 && parts.length === 0) return null
  const percent = successfulCount > 0 ? Math.round((deliveredCount / successfulCount) * 100) : 0
  const rest = parts.map(({ block, name, count }) => markup` · ${block} ${count} ${name}`)
  return markup`Of the accepted: 🟩 ${deliveredCount} delivered (${percent}%)${{ html: rest.map(({ html }) => html).join('') }}`
}
