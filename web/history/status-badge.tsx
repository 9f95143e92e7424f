import type { CampaignState, CampaignStatus } from '../../contract/campaigns.ts'
import { Badge } from '../ui/badge.tsx'
import type { Tone } from '../ui/tones.ts'

const TONES: Record<CampaignStatus, Tone> = { sent: 'delivered', failed: 'failed', pending: 'pending' }

export function StatusBadge({ status }: { status: CampaignStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>
}

/** Says what the status cannot: that somebody, or something, has stopped it. */
export function StateBadge({ state }: { state: CampaignState }) {
  if (state === 'paused') return <Badge tone="bounced">paused</Badge>
  if (state === 'cancelled') return <Badge tone="cancelled">cancelled</Badge>
  return null
}
