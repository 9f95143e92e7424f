import type { HistoryEntry } from '../../contract/campaigns.ts'
import { isMoving } from '../../contract/under-way.ts'

type PrimaryAction = 'resume' | 'retry-failed' | 'resend'

/** The one thing to do next with a campaign; null while there is nothing to do but wait. */
export function primaryOf(
  campaign: Pick<HistoryEntry, 'state' | 'counts' | 'resumesItself' | 'isRestored'>,
): PrimaryAction | null {
  const { counts, isRestored } = campaign
  // Where it is not known who has it, the first thing is to look.
  if (campaign.state === 'paused') return campaign.resumesItself || isRestored ? null : 'resume'
  if (isMoving(campaign)) return null
  if (counts.failed > 0) return isRestored ? null : 'retry-failed'
  return counts.unknown > 0 ? null : 'resend'
}
