import type { HistoryEntry } from '../../contract/campaigns.ts'
import { isMoving } from '../../contract/under-way.ts'
import { inWords } from '../ui/words.ts'

/** Where a campaign stands, for those who do not see the bar. */
export function stateWords(campaign: Pick<HistoryEntry, 'state' | 'counts'>): string {
  const { state, counts } = campaign
  if (state === 'paused') return 'Sending is paused'
  if (state === 'cancelled') return isMoving(campaign) ? 'Being cancelled' : 'Cancelled'
  if (isMoving(campaign)) return 'Sending'
  const parts = [`${inWords(counts.accepted)} accepted`]
  if (counts.failed > 0) parts.push(`${inWords(counts.failed)} failed`)
  if (counts.unknown > 0) parts.push(`${inWords(counts.unknown)} unconfirmed`)
  return `Finished: ${parts.join(', ')}`
}
