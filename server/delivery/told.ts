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
}

/**
 * What is told of a delivery. By plain SMTP an accepted mail counts as delivered from that moment on, since nobody reports
 * on it; of a single person that is not said to have happened.
 */
export const toldOf = (campaignId: string) => sql`
  seq, address, state, reason, attempts, provider_id as "providerId", in_flight_at as "triedAt",
  accepted_at as "acceptedAt",
  case when delivered_at = accepted_at and (select is_presumed from runs where campaign_id = ${campaignId}) then null
    else delivered_at end as "deliveredAt",
  bounced_at as "bouncedAt", complained_at as "complainedAt", opened_at as "openedAt"`
