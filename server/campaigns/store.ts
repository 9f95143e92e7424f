import { sql } from 'kysely'
import {
  type CampaignState,
  type CampaignStatus,
  type DeliveryCounts,
  SHOWN_RECIPIENTS,
} from '../../contract/campaigns.ts'
import type { Database, Transaction } from '../platform/database.ts'

export type NewCampaign = {
  id: string
  userId: string
  subject: string
  body: string
  senderName: string
  replyTo: string
  /** Null: the product's own. */
  fromAddress: string | null
}

export async function insertCampaign(tx: Transaction, campaign: NewCampaign): Promise<void> {
  await tx
    .insertInto('campaigns')
    .values({
      id: campaign.id,
      user_id: campaign.userId,
      subject: campaign.subject,
      body: campaign.body,
      sender_name: campaign.senderName,
      reply_to: campaign.replyTo,
      from_address: campaign.fromAddress,
      recipient_count: 0,
    })
    .execute()
}

export async function setRecipientCount(tx: Transaction, id: string, count: number): Promise<void> {
  await tx.updateTable('campaigns').set({ recipient_count: count }).where('id', '=', id).execute()
}

/**
 * Takes an idempotency key, or gives what was answered under it before. Who comes with the same key at the same moment
 * waits here until the first has committed, or failed.
 */
export async function takeKey(
  tx: Transaction,
  userId: string,
  key: string,
  requestHash: string,
): Promise<{ requestHash: string; answer: unknown } | null> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: requestHash })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return null
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash as requestHash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

export async function keepAnswer(
  tx: Transaction,
  userId: string,
  key: string,
  answer: object,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

const KEY_DAYS = 7

export async function deleteOldKeys(db: Database): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEY_DAYS})`)
    .execute()
}

/** Where a campaign stands: the counts, and what they amount to. */
export type Progress = {
  id: string
  status: CampaignStatus
  state: CampaignState
  pausedReason: string | null
  counts: DeliveryCounts
  delivered: number
  bounced: number
  complained: number
  opened: number
}

export type CampaignRow = Progress & {
  subject: string
  body: string
  senderName: string
  replyTo: string
  recipients: string[]
  recipientCount: number
  createdAt: Date
  /** In microseconds, which a JavaScript date cannot hold: for paging. */
  position: string
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
  c.id, ${status} as status,
  case
    when r.state = 'cancelled' then 'cancelled'
    when not r.is_open then 'done'
    when r.state = 'paused' or ${outage} is not null then 'paused'
    else 'sending' end as state,
  case when r.is_open then coalesce(r.paused_reason, ${outage}) end as "pausedReason",
  json_build_object('queued', r.queued, 'inFlight', r.in_flight, 'accepted', r.accepted, 'failed', r.failed,
    'unknown', r.unknown, 'suppressed', r.suppressed, 'cancelled', r.cancelled) as counts,
  r.delivered, r.bounced, r.complained, r.opened`

const entry = sql`
  ${progress}, c.subject, c.body, c.sender_name as "senderName", c.reply_to as "replyTo",
  array(select d.address from deliveries d where d.campaign_id = c.id order by d.seq limit ${SHOWN_RECIPIENTS})
    as recipients,
  c.recipient_count as "recipientCount", c.created_at as "createdAt",
  (extract(epoch from c.created_at) * 1000000)::bigint as position, c.from_address as "fromAddress"`

export async function findCampaign(db: Database, userId: string, id: string): Promise<CampaignRow | null> {
  const { rows } = await sql<CampaignRow>`
    select ${entry} from campaigns c join runs r on r.campaign_id = c.id
    where c.id = ${id} and c.user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export async function findProgress(db: Database, userId: string, id: string): Promise<Progress | null> {
  const { rows } = await sql<Progress>`
    select ${progress} from campaigns c join runs r on r.campaign_id = c.id
    where c.id = ${id} and c.user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export type HistoryFilter = {
  limit: number
  before: { position: string; id: string } | null
  status: CampaignStatus | null
  /** Part of a subject, or the beginning of a recipient's address. */
  search: string | null
}

export async function listCampaigns(
  db: Database,
  userId: string,
  { limit, before, status: wanted, search }: HistoryFilter,
): Promise<CampaignRow[]> {
  const page = before
    ? sql`and (c.created_at, c.id) < (timestamptz 'epoch' + ${before.position}::bigint * interval '1 microsecond', ${before.id}::uuid)`
    : sql``
  const withStatus = wanted ? sql`and ${status} = ${wanted}` : sql``
  const matching = search === null ? sql`` : sql`and (${matches(search)})`
  const { rows } = await sql<CampaignRow>`
    select ${entry} from campaigns c join runs r on r.campaign_id = c.id
    where c.user_id = ${userId} ${page} ${withStatus} ${matching}
    order by c.created_at desc, c.id desc limit ${limit}`.execute(db)
  return rows
}

/** The unique index on the addresses of a campaign answers for the beginning of an address. */
const matches = (search: string) => sql`
  position(${search.toLowerCase()} in lower(c.subject)) > 0
  or exists (select from deliveries d where d.campaign_id = c.id
    and d.address_key >= ${search.toLowerCase()} and d.address_key < ${`${search.toLowerCase()}\u{10ffff}`})`
