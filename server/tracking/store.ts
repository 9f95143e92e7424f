import { sql } from 'kysely'
import { MAY_HAVE_LEFT } from '../delivery/doubt.ts'
import { UNLESS_OUTRANKED } from '../delivery/outranking.ts'
import type { DeliveryKey } from '../delivery/tokens.ts'
import { type Database, prepared } from '../platform/database.ts'
import type { Arrival } from './machine-opens.ts'

/** In the order of the keys; null for a delivery that is gone. */
export async function findArrivals(
  db: Database,
  keys: readonly DeliveryKey[],
): Promise<readonly (Arrival | null)[]> {
  const rows = await prepared<Arrival & { place: number }>(db, ARRIVALS, [
    keys.map(({ campaignId }) => campaignId),
    keys.map(({ seq }) => seq),
  ])
  const found = new Map(rows.map((row) => [row.place, row]))
  return keys.map((_, index) => found.get(index + 1) ?? null)
}

const ARRIVALS = {
  name: 'find-arrivals',
  // A mail may be at its goal before the provider has answered, whatever the answer is then. What stays in flight for
  // longer than any call takes is in doubt, and waits to be repeated.
  text: `
    select k.place::integer, coalesce(d.accepted_at, d.in_flight_at) as "takenAt", d.delivered_at as "deliveredAt",
      d.state in ('a', 'u') or ${MAY_HAVE_LEFT}
        or d.state = 'i' and (d.next_try_at is not null or d.in_flight_at < now() - interval '15 minutes') as "mayBeTaken"
    from unnest($1::uuid[], $2::integer[]) with ordinality as k (campaign_id, seq, place)
    join deliveries d on d.campaign_id = k.campaign_id and d.seq = k.seq`,
}

/** Somebody who gets mails from a user, and why no more are sent to them, if so. */
export type Subscriber = {
  userId: string
  address: string
  addressKey: string
  senderName: string
  replyTo: string
  /** As in the table of suppressions; null while mails are sent. */
  suppressed: string | null
}

/**
 * The user is who sent the campaign; a delivery names nobody else. Of a mail with a link to leave: one without tells its
 * token too, in the address for answers, which is seen by whomever its recipient copies an answer to.
 */
export async function findSubscriber(
  db: Database,
  { campaignId, seq }: DeliveryKey,
): Promise<Subscriber | null> {
  const { rows } = await sql<Subscriber>`
    select c.user_id as "userId", d.address, d.address_key as "addressKey", c.sender_name as "senderName",
      c.reply_to as "replyTo", s.reason::text as suppressed
    from campaigns c
    join deliveries d on d.campaign_id = c.id and d.seq = ${seq}
    left join suppressions s on s.user_id = c.user_id and s.address_key = d.address_key
    where c.id = ${campaignId} and c.has_unsubscribe`.execute(db)
  return rows[0] ?? null
}

/** Takes the place of whatever was known of the mailbox; a complaint stays. */
export async function addUnsubscribed(
  db: Database,
  { userId, address, addressKey }: Subscriber,
  { campaignId, seq }: DeliveryKey,
): Promise<void> {
  await sql`
    insert into suppressions as s (user_id, address_key, address, reason, campaign_id, seq)
    values (${userId}, ${addressKey}, ${address}, 'u', ${campaignId}, ${seq})
    ${sql.raw(UNLESS_OUTRANKED)}`.execute(db)
}

/** Brings back what the unsubscription had taken the place of. */
export async function removeUnsubscribed(
  db: Database,
  { userId, addressKey }: Pick<Subscriber, 'userId' | 'addressKey'>,
): Promise<void> {
  await sql`
    with brought_back as (
      update suppressions s set (reason, campaign_id, seq, words, created_at, outranked) = (
        select o.reason, o.campaign_id, o.seq, o.words, o.created_at, null::jsonb
        from jsonb_populate_record(null::suppressions, s.outranked) o
      )
      where user_id = ${userId} and address_key = ${addressKey} and reason = 'u' and outranked is not null
    )
    delete from suppressions
    where user_id = ${userId} and address_key = ${addressKey} and reason = 'u' and outranked is null`.execute(
    db,
  )
}
