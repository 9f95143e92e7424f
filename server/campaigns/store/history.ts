import { sql } from 'kysely'
import {
  type CampaignState,
  type CampaignStatus,
  type DeliveryCounts,
  SHOWN_RECIPIENTS,
} from '../../../contract/campaigns.ts'
import { IS_RESTORED } from '../../delivery/doubt.ts'
import type { AddressSearch } from '../../platform/address-search.ts'
import type { Place } from '../../platform/cursors.ts'
import type { Database } from '../../platform/database.ts'
import { planned } from './planned.ts'

/** Where a campaign stands: the counts, and what they amount to. */
export type Progress = {
  id: string
  round: number
  status: CampaignStatus
  state: CampaignState
  pausedReason: string | null
  /** An outage holds it, nobody else. */
  resumesItself: boolean
  isRestored: boolean
  counts: DeliveryCounts
  delivered: number
  isPresumed: boolean
  bounced: number
  complained: number
  opened: number
  machineOpened: number
  unsubscribed: number
}

export type CampaignRow = Progress & {
  subject: string
  body: string
  senderName: string
  replyTo: string
  recipients: string[]
  recipientCount: number
  createdAt: Date
  /** Null: the product's own. */
  fromAddress: string | null
}

const status = sql<CampaignStatus>`case
  when r.queued + r.in_flight > 0 then 'pending'
  when r.accepted = 0 and r.unknown = 0 then 'failed'
  else 'sent' end`

/** An outage counts a little longer than its hold: between two holds the provider is only being asked. */
const outage = sql<string | null>`(
  select h.outage from account_holds h
  where h.account = r.account and r.state = 'sending' and r.is_open and h.held_until > now() - interval '15 seconds')`

const progress = sql`
  c.id, r.rounds as round, ${status} as status,
  case
    when r.state = 'cancelled' then 'cancelled'
    when not r.is_open then 'done'
    when r.state = 'paused' or ${outage} is not null then 'paused'
    else 'sending' end as state,
  case when r.is_open then coalesce(r.paused_reason, ${outage}) end as "pausedReason",
  ${outage} is not null as "resumesItself", ${sql.raw(IS_RESTORED)} as "isRestored",
  json_build_object('queued', r.queued, 'inFlight', r.in_flight, 'accepted', r.accepted, 'failed', r.failed,
    'unknown', r.unknown, 'suppressed', r.suppressed, 'cancelled', r.cancelled) as counts,
  r.delivered, r.is_presumed as "isPresumed", r.bounced, r.complained, r.opened, r.machine_opened as "machineOpened", r.unsubscribed`

const entry = sql`
  ${progress}, c.subject, c.body, c.sender_name as "senderName", c.reply_to as "replyTo",
  to_json(array(
    select d.address from deliveries d where d.campaign_id = c.id order by d.seq limit ${SHOWN_RECIPIENTS}
  )) as recipients,
  c.recipient_count as "recipientCount", c.created_at as "createdAt", c.from_address as "fromAddress"`

export async function findCampaign(db: Database, userId: string, id: string): Promise<CampaignRow | null> {
  const [row] = await findCampaigns(db, userId, [id])
  return row ?? null
}

export async function findProgress(db: Database, userId: string, id: string): Promise<Progress | null> {
  const query = sql<Progress>`
    select ${progress} from campaigns c join runs r on r.campaign_id = c.id
    where c.id = ${id} and c.user_id = ${userId}`
  const [row] = await planned(db, 'campaign-progress', query)
  return row ?? null
}

/** In the order of the history; those that are gone, or another's, are left out. */
export async function findCampaigns(
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<CampaignRow[]> {
  const query = sql<CampaignRow>`
    select ${entry} from campaigns c join runs r on r.campaign_id = c.id
    where c.id = any(${ids}::uuid[]) and c.user_id = ${userId}
    order by c.created_at desc, c.id desc`
  return planned(db, 'campaign-entries', query)
}

export type HistoryFilter = {
  status: CampaignStatus | null
  /** Part of a subject, or the beginning of a recipient's address. */
  search: AddressSearch | null
  /** Sent at or after this moment, and before that one. */
  from: Date | null
  to: Date | null
}

/** `bytes`: about as many as its entry will take. */
type Found = Place & { bytes: number }

/** `reached`: where the search has come to; null at the end of the history. */
export type Scan = { found: Found[]; reached: Place | null }

/** Looks through so many campaigns, the newest first, and reads neither letters nor lists of recipients. */
export async function scanCampaigns(
  db: Database,
  userId: string,
  { status: wanted, search, from, to }: HistoryFilter,
  { before, atMost, limit }: { before: Place | null; atMost: number; limit: number },
): Promise<Scan> {
  const page = before
    ? sql`and (c.created_at, c.id) < (timestamptz 'epoch' + ${before.position}::bigint * interval '1 microsecond', ${before.id}::uuid)`
    : sql``
  const sinceThen = from ? sql`and c.created_at >= ${moment(from)}` : sql``
  const untilThen = to ? sql`and c.created_at < ${moment(to)}` : sql``
  const withStatus = wanted ? sql`and ${status} = ${wanted}` : sql``
  const matching = search === null ? sql`` : sql`and (${matches(search)})`
  const query = sql<Found & { isFound: boolean }>`
    with scanned as (
      select c.id, c.created_at, c.subject, (extract(epoch from c.created_at) * 1000000)::bigint as position,
        octet_length(c.body) + octet_length(c.subject) + least(c.recipient_count, ${SHOWN_RECIPIENTS}) * 25 + 600 as bytes
      from campaigns c where c.user_id = ${userId} ${page} ${sinceThen} ${untilThen}
      order by c.created_at desc, c.id desc limit ${atMost}
    )
    -- The limit keeps the planner from reading everybody's runs for the few that are wanted here.
    (select c.id, c.position, c.bytes, true as "isFound" from scanned c
      cross join lateral (select * from runs where campaign_id = c.id limit 1) r
      where true ${withStatus} ${matching} order by c.created_at desc, c.id desc limit ${limit})
    union all
    (select id, position, 0, false from scanned order by created_at desc, id desc offset ${atMost - 1})`
  const parts = Object.entries({ before, from, to, wanted, search }).filter(([, part]) => part !== null)
  const name = ['history-scan', ...parts.map(([part]) => part)].join('-')
  const rows = await planned(db, name, query)
  const last = rows.find(({ isFound }) => !isFound)
  return {
    found: rows.filter(({ isFound }) => isFound),
    reached: last ? { position: last.position, id: last.id } : null,
  }
}

/**
 * The place behind which a page of so many begins that ends right before this campaign, the newest first; null for the
 * beginning of the history, or if there is no such campaign.
 */
export async function findPlaceAhead(
  db: Database,
  userId: string,
  id: string,
  count: number,
): Promise<Place | null> {
  const query = sql<Place>`
    select c.id, (extract(epoch from c.created_at) * 1000000)::bigint as position
    from campaigns c, (select created_at, id from campaigns where id = ${id} and user_id = ${userId}) here
    where c.user_id = ${userId} and (c.created_at, c.id) > (here.created_at, here.id)
    order by c.created_at, c.id offset ${count} limit 1`
  const [row] = await planned(db, 'history-ahead', query)
  return row ?? null
}

/** By number: a date may lie in a year that PostgreSQL does not read. */
const moment = (date: Date) => sql`to_timestamp(${date.getTime() / 1000}::float8)`

/** The unique index on the addresses of a campaign answers for the beginning of an address. */
const matches = ({ shown, key, prefix }: AddressSearch) => sql`
  position(${shown} in lower(c.subject)) > 0
  or exists (select from deliveries d where d.campaign_id = c.id
    and d.address_key >= ${prefix} and d.address_key < ${`${prefix}\u{10ffff}`}
    and (starts_with(d.address_key, ${key}) or starts_with(lower(d.address), ${shown})))`
