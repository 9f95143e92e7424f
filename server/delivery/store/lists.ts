import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { type DeliveryRow, toldOf } from '../told.ts'

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

/** In the order of the list; the caller has made sure that the campaign is the user's. */
export async function listDeliveries(
  db: Database,
  campaignId: string,
  { after, limit }: { after: number; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${toldOf(campaignId)} from deliveries where campaign_id = ${campaignId} and seq > ${after}
    order by seq limit ${limit}`.execute(db)
  return rows
}
