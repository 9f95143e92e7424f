import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** A campaign of somebody who is linked. */
export type Watched = {
  id: string
  userId: string
  linkId: string
  /** How often it was sent in whole or in part. */
  round: number
  /** An answer to a mail, which is a campaign to one person. */
  isReply: boolean
  /** Sent after the link was made. */
  isNew: boolean
  isEndKnown: boolean
  areBouncesKnown: boolean
}

/** Of these only those whose owner is linked. */
export async function findWatched(db: Database, ids: readonly string[]): Promise<Watched[]> {
  const isKnown = (kind: string, occasion: ReturnType<typeof sql>) => sql<boolean>`exists (
    select from telegram_alerts a
    where a.link_id = l.id and a.kind = ${kind} and a.about = r.campaign_id and a.occasion = ${occasion})`
  const { rows } = await sql<Watched>`
    select r.campaign_id as id, r.user_id as "userId", l.id as "linkId", r.rounds as round,
      c.conversation_id is not null as "isReply", c.created_at >= l.linked_at as "isNew",
      ${isKnown('finished', sql`r.rounds::text`)} as "isEndKnown", ${isKnown('bounces', sql`''`)} as "areBouncesKnown"
    from runs r join telegram_links l on l.user_id = r.user_id join campaigns c on c.id = r.campaign_id
    where r.campaign_id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** More than this share of at least so many that were settled have come back. */
export type Spike = { share: number; settled: number }

/** What there may be to tell: campaigns under way, and those of the last hours of which something was not told. */
export async function listWatched(db: Database, hours: number, spike: Spike): Promise<string[]> {
  const settled = sql`(r.accepted + r.failed + r.unknown)`
  const isReply = sql`exists (select from campaigns c where c.id = r.campaign_id and c.conversation_id is not null)`
  const { rows } = await sql<{ id: string }>`
    select r.campaign_id as id from runs r join telegram_links l on l.user_id = r.user_id where r.is_open
    union
    select r.campaign_id from telegram_links l
    join runs r on r.user_id = l.user_id and r.created_at > now() - ${hours} * interval '1 hour'
    where not r.is_open and (
      r.state <> 'cancelled' and (
        r.last_seq > 1 or r.failed > 0 or r.unknown > 0 or r.suppressed > 0 and ${isReply}
      ) and not exists (
        select from telegram_alerts a where a.link_id = l.id and a.kind = 'finished' and a.about = r.campaign_id
          and a.occasion = r.rounds::text)
      or ${settled} >= ${spike.settled} and r.bounced > ${settled} * ${spike.share}::float8 and not exists (
        select from telegram_alerts a where a.link_id = l.id and a.kind = 'bounces' and a.about = r.campaign_id))
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether anybody was tried, or anything came back, after the link was made. Looks at a whole campaign. */
export async function hasHappenedSince(
  db: Database,
  { id, linkId }: Pick<Watched, 'id' | 'linkId'>,
  what: 'tried' | 'bounced',
): Promise<boolean> {
  const at = what === 'tried' ? sql`d.in_flight_at` : sql`d.bounced_at`
  const { rows } = await sql`
    select from telegram_links l
    where l.id = ${linkId} and exists (
      select from deliveries d where d.campaign_id = ${id} and ${at} > l.linked_at)`.execute(db)
  return rows.length > 0
}
