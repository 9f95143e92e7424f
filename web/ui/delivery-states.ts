import type { DeliveryState } from '../../contract/campaigns.ts'
import type { Tone } from './tones.ts'

/** What becomes of one mail, in the same words and colours wherever it is told. */
export const STATE_NAMES: Record<DeliveryState, string> = {
  queued: 'Waiting',
  inFlight: 'On its way',
  accepted: 'Accepted',
  failed: 'Failed',
  unknown: 'Unconfirmed',
  suppressed: 'Left out',
  cancelled: 'Cancelled',
}

export const STATE_TONES: Record<DeliveryState, Tone> = {
  queued: 'pending',
  inFlight: 'pending',
  accepted: 'delivered',
  failed: 'failed',
  unknown: 'unconfirmed',
  suppressed: 'leftOut',
  cancelled: 'cancelled',
}
