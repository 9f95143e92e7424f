import { sql } from 'kysely'
import type { DeliveryCounts } from '../../../contract/campaigns.ts'
import type { StateLetter } from '../../delivery/states.ts'
import { type DeliveryRow, toldOf } from '../../delivery/told.ts'
import type { AddressSearch } from '../../platform/address-search.ts'
import type { Database } from '../../platform/database.ts'
import { planned } from './planned.ts'

/** How far the numbers of a campaign's deliveries go, and how many of them are in which state. */
export type Extent = { lastSeq: number; counts: DeliveryCounts }

export async function findExtent(db: Database, userId: string, id: string): Promise<Extent | null> {
  const query = sql<Extent>`
    select last_seq as "lastSeq",
      json_build_object('queued', queued, 'inFlight', in_flight, 'accepted', accepted, 'failed', failed,
        'unknown', unknown, 'suppressed', suppressed, 'cancelled', cancelled) as counts
    from runs where campaign_id = ${id} and user_id = ${userId}`
  const [row] = await planned(db, 'campaign-extent', query)
  return row ?? null
}

export type SearchedDeliveries = {
  state: StateLetter | null
  /** Part of an address. */
  search: AddressSearch | null
}

/** Those that match behind one number and up to another: a piece of the list, however few are found in it. */
export async function searchDeliveries(
  db: Database,
  campaignId: string,
  { state, search }: SearchedDeliveries,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<DeliveryRow[]> {
  const inState = state === null ? sql`` : sql`and state = ${state}`
  const matching =
    search === null
      ? sql``
      : sql`and (position(${search.key} in address_key) > 0 or position(${search.shown} in lower(address)) > 0)`
  const query = sql<DeliveryRow>`
    select ${toldOf(campaignId)} from deliveries
    where campaign_id = ${campaignId} and seq > ${after} and seq <= ${upTo} ${inState} ${matching}
    order by seq limit ${limit}`
  const parts = Object.entries({ state, search }).filter(([, part]) => part !== null)
  return planned(db, ['deliveries-search', ...parts.map(([part]) => part)].join('-'), query)
}

type ReasonRow = { reason: string | null; count: number }

/** Why deliveries failed, behind one number and up to another. Whom a provider names in its answer makes no difference. */
export async function countReasons(
  db: Database,
  campaignId: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<ReasonRow[]> {
  const query = sql<ReasonRow>`
    select replace(reason, address, '(address)') as reason, count(*)::integer as count
    from deliveries where campaign_id = ${campaignId} and seq > ${after} and seq <= ${upTo} and state = 'f'
    group by 1`
  return planned(db, 'failure-reasons', query)
}

type RecipientRow = { seq: number; address: string; name: string }

export const listRecipients = (
  db: Database,
  campaignId: string,
  { after, limit }: { after: number; limit: number },
): Promise<RecipientRow[]> =>
  db
    .selectFrom('deliveries')
    .select(['seq', 'address', 'name'])
    .where('campaign_id', '=', campaignId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
