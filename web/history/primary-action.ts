import type { HistoryEntry } from '../../contract/campaigns.ts'
import { isMoving } from './fate.ts'

type PrimaryAction = 'resume' | 'retry-failed' | 'resend'

/** The one thing to do next with a campaign; null while there is nothing to do but wait. */
export function primaryOf(
  campaign: Pick<HistoryEntry, 'state' | 'counts' | 'resumesItself'>,
): PrimaryAction | null {
  if (campaign.state === 'paused') return campaign.resumesItself ? null : 'resume'
  if (isMoving(campaign)) return null
  if (campaign.counts.failed > 0) return 'retry-failed'
  // Where it is not known who has it, the first thing is to look.
  return campaign.counts.unknown > 0 ? null : 'resend'
}
