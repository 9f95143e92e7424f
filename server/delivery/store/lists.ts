import type { Database } from '../../platform/database.ts'
import type { StateLetter } from '../states.ts'

export type RunRow = { state: 'sending' | 'paused' | 'cancelled'; isOpen: boolean }

export async function findRun(db: Database, userId: string, campaignId: string): Promise<RunRow | null> {
  const row = await db
    .selectFrom('runs')
    .select(['state', 'is_open as isOpen'])
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // The table's own check lets no other state in.
  return row ? { ...row, state: row.state as RunRow['state'] } : null
}

export type DeliveryRow = {
  seq: number
  address: string
  state: StateLetter
  reason: string | null
  attempts: number
  triedAt: Date | null
  acceptedAt: Date | null
  deliveredAt: Date | null
  bouncedAt: Date | null
  complainedAt: Date | null
  openedAt: Date | null
}

/** In the order of the list; the caller has made sure that the campaign is the user's. */
export async function listDeliveries(
  db: Database,
  campaignId: string,
  { after, limit }: { after: number; limit: number },
): Promise<DeliveryRow[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select([
      'seq',
      'address',
      'state',
      'reason',
      'attempts',
      'in_flight_at as triedAt',
      'accepted_at as acceptedAt',
      'delivered_at as deliveredAt',
      'bounced_at as bouncedAt',
      'complained_at as complainedAt',
      'opened_at as openedAt',
    ])
    .where('campaign_id', '=', campaignId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as StateLetter }))
}
