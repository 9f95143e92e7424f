import { sql } from 'kysely'
import type { StateLetter } from './states.ts'

export type DeliveryRow = {
  seq: number
  address: string
  state: StateLetter
  reason: string | null
  attempts: number
  providerId: string | null
  triedAt: Date | null
  acceptedAt: Date | null
  deliveredAt: Date | null
  bouncedAt: Date | null
  complainedAt: Date | null
  openedAt: Date | null
  isUnsent: boolean
}

/** What the provider took and then did not send has not come back from anywhere; the reason says so wherever it is read. */
export const TOLD_REASON = sql`
  case when bounce = 'f' then concat_ws(': ', 'Not sent by the provider', reason) else reason end`

/**
 * What is told of a delivery. By plain SMTP an accepted mail counts as delivered from that moment on, since nobody reports
 * on it; of a single person that is not said to have happened.
 */
export const toldOf = (campaignId: string) => sql`
  seq, address, state, ${TOLD_REASON} as reason, attempts, provider_id as "providerId", in_flight_at as "triedAt",
  accepted_at as "acceptedAt",
  case when delivered_at = accepted_at and (select is_presumed from runs where campaign_id = ${campaignId}) then null
    else delivered_at end as "deliveredAt",
  bounced_at as "bouncedAt", complained_at as "complainedAt", opened_at as "openedAt",
  bounce is not distinct from 'f' as "isUnsent"`
