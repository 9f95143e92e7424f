import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Database, prepared } from '../../platform/database.ts'
import type { ProviderEvent } from '../../providers/events.ts'
import { factsOf, nameOf, storable } from '../facts.ts'
import { readDeliveryTag } from '../identity.ts'

/** A campaign that events have moved, and whose it is. */
export type Moved = { id: string; userId: string }

/** Somebody else is writing these rows; a step takes a few milliseconds. */
const PAUSE_MS = 5
const PAUSES_MAX = 400

/**
 * What has happened to deliveries after a provider took them, one statement and one commit. Facts only ever add up:
 * told again, in another order, or before our own record of the provider's answer, events lead to the same rows and the
 * same counts. An account speaks only of what it carried itself.
 */
export async function recordEvents(
  db: Database,
  account: string,
  events: readonly ProviderEvent[],
): Promise<Moved[]> {
  const moved = new Map<string, Moved>()
  let left = byDelivery(await firstStories(db, account, events))
  for (let pauses = 0; left.length > 0; pauses++) {
    const { campaigns, busy } = await recordFacts(db, account, left)
    for (const campaign of campaigns) moved.set(campaign.id, campaign)
    left = left.filter((_, index) => busy.has(index))
    if (left.length === 0) break
    if (pauses === PAUSES_MAX) throw new Error('deliveries stayed locked for too long to note their events')
    await setTimeout(PAUSE_MS)
  }
  return [...moved.values()]
}

/**
 * An event has one story. Where the provider's signature does not cover what is told (Mailgun signs the time and a token
 * only), the same id with another story is somebody's invention.
 */
async function firstStories(
  db: Database,
  account: string,
  events: readonly ProviderEvent[],
): Promise<ProviderEvent[]> {
  const told = new Map<string, string>()
  for (const { id, story } of await prepared<{ id: string; story: string }>(db, TOLD, [
    events.map((event) => eventId(account, event.id)),
  ]))
    told.set(id.replaceAll('-', ''), story)
  return events.filter((event) => {
    const id = eventId(account, event.id)
    const delivery = event.tag === null ? null : readDeliveryTag(event.tag)
    const story = `${delivery?.campaignId} ${delivery?.seq} ${nameOf(event)}`
    const first = told.get(id)
    told.set(id, first ?? story)
    return first === undefined || first === story
  })
}

const TOLD = {
  name: 'told-events',
  text: `select id, campaign_id || ' ' || seq || ' ' || kind as story from delivery_events where id = any($1::uuid[])`,
}

type Reported = { campaignId: string; seq: number; events: ProviderEvent[] }

function byDelivery(events: readonly ProviderEvent[]): Reported[] {
  const reported = new Map<string, Reported>()
  for (const event of events) {
    const delivery = event.tag === null ? null : readDeliveryTag(event.tag)
    if (!event.tag || !delivery) continue
    const known = reported.get(event.tag)
    if (known) known.events.push(event)
    else reported.set(event.tag, { ...delivery, events: [event] })
  }
  return [...reported.values()]
}

async function recordFacts(db: Database, account: string, reported: readonly Reported[]) {
  const facts = reported.map(({ events }) => factsOf(events))
  const all = reported.flatMap(({ campaignId, seq, events }) =>
    events.map((event) => ({ campaignId, seq, event })),
  )
  const [row] = await prepared<{ campaigns: Moved[]; busy: number[] }>(db, RECORD, [
    account,
    reported.map(({ campaignId }) => campaignId),
    reported.map(({ seq }) => seq),
    facts.map(({ confirmedAt }) => confirmedAt),
    facts.map(({ deliveredAt }) => deliveredAt),
    facts.map(({ complainedAt }) => complainedAt),
    facts.map(({ openedAt }) => openedAt),
    facts.map(({ clickedAt }) => clickedAt),
    facts.map(({ unsubscribedAt }) => unsubscribedAt),
    facts.map(({ return: back }) => back?.rank ?? null),
    facts.map(({ return: back }) => back?.at ?? null),
    facts.map(({ return: back }) => back?.words ?? null),
    all.map(({ event }) => eventId(account, event.id)),
    all.map(({ campaignId }) => campaignId),
    all.map(({ seq }) => seq),
    all.map(({ event }) => nameOf(event)),
    all.map(({ event }) => event.at.toISOString()),
    all.map(({ event }) => storable(event.words)),
  ])
  return { campaigns: row?.campaigns ?? [], busy: new Set(row?.busy) }
}

/** Each event has one row for ever, whatever its provider calls it; another account may use the same names. */
function eventId(account: string, id: string): string {
  const hash = createHash('sha256').update(`${account}\n${id}`).digest('hex')
  return hash.slice(0, 32)
}

/**
 * The facts of one delivery in a row. Locked rows are never waited for: who writes outcomes locks many of them too, in
 * another order; what is locked now is told as busy, and comes again. Of an event that was told before the facts are
 * there already, and nothing is written.
 *
 * Any event proves that the provider has the mail: then it is neither to be sent (again) nor unknown. What is in flight
 * stays so until its call is settled, and is then settled by this proof.
 */
const RECORD = {
  name: 'record-events',
  text: `
    with before as materialized (
      select f.*, d.state, d.bounce, d.bounced_at as had_bounced_at, d.reason,
        d.delivered_at is not null as had_delivered, d.complained_at is not null as had_complained,
        d.opened_at is not null as had_opened, d.clicked_at is not null as had_clicked,
        array_position(array['f', 'm', 's', 'h'], d.bounce::text) as had_rank,
        row (least(d.confirmed_at, f.confirmed_at), least(d.delivered_at, f.delivered_at),
          least(d.complained_at, f.complained_at), least(d.opened_at, f.opened_at), least(d.clicked_at, f.clicked_at),
          least(d.unsubscribed_at, f.unsubscribed_at))
          is distinct from row (d.confirmed_at, d.delivered_at, d.complained_at, d.opened_at, d.clicked_at,
          d.unsubscribed_at) as is_news
      from unnest($2::uuid[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
          $8::timestamptz[], $9::timestamptz[], $10::smallint[], $11::timestamptz[], $12::text[]) with ordinality
        as f (campaign_id, seq, confirmed_at, delivered_at, complained_at, opened_at, clicked_at, unsubscribed_at,
          rank, bounced_at, words, place)
      join runs r on r.campaign_id = f.campaign_id and r.account = $1::text
      join deliveries d on d.campaign_id = f.campaign_id and d.seq = f.seq
      for no key update of d skip locked
    ),
    judged as (
      select b.*, b.had_rank is not null as had_bounced, b.state in ('q', 'u', 'f', 'c') as is_proven,
        b.rank is not null and (b.had_rank is null or (b.rank, b.had_bounced_at, coalesce(b.reason, ''))
          > (b.had_rank, b.bounced_at, coalesce(b.words, ''))) as is_worse
      from before b
    ),
    noted as (
      update deliveries d set
        state = case when j.is_proven then 'a' else d.state end,
        accepted_at = case when j.is_proven then coalesce(d.accepted_at, j.confirmed_at) else d.accepted_at end,
        next_try_at = case when j.is_proven then null else d.next_try_at end,
        call_seq = case when j.is_proven then null else d.call_seq end,
        call_size = case when j.is_proven then null else d.call_size end,
        confirmed_at = least(d.confirmed_at, j.confirmed_at),
        delivered_at = least(d.delivered_at, j.delivered_at),
        complained_at = least(d.complained_at, j.complained_at),
        opened_at = least(d.opened_at, j.opened_at),
        clicked_at = least(d.clicked_at, j.clicked_at),
        unsubscribed_at = least(d.unsubscribed_at, j.unsubscribed_at),
        bounce = case when j.is_worse then ((array['f', 'm', 's', 'h'])[j.rank])::"char" else d.bounce end,
        bounced_at = case when j.is_worse then j.bounced_at else d.bounced_at end,
        reason = case when j.is_worse then j.words when j.is_proven and d.bounce is null then null else d.reason end
      from judged j where d.campaign_id = j.campaign_id and d.seq = j.seq and (j.is_news or j.is_proven or j.is_worse)
      returning d.campaign_id, j.state as was, j.is_proven,
        (d.delivered_at is not null and d.bounce is null)::integer
          - (j.had_delivered and not j.had_bounced)::integer as delivered,
        (d.bounce is not null)::integer - j.had_bounced::integer as bounced,
        (d.complained_at is not null)::integer - j.had_complained::integer as complained,
        (d.opened_at is not null)::integer - j.had_opened::integer as opened,
        (d.clicked_at is not null)::integer - j.had_clicked::integer as clicked
    ),
    moved as (
      select campaign_id, count(*) filter (where is_proven) as proven,
        count(*) filter (where was = 'q') as queued, count(*) filter (where was = 'u') as unknown,
        count(*) filter (where was = 'f') as failed, count(*) filter (where was = 'c') as cancelled,
        sum(delivered) as delivered, sum(bounced) as bounced, sum(complained) as complained, sum(opened) as opened,
        sum(clicked) as clicked
      from noted group by campaign_id
    ),
    -- Counted on from the values under the lock: those that this statement began with may be older than what it found
    -- in the deliveries, and the table's checks would see a count below zero for a moment.
    locked as materialized (
      select r.* from runs r where r.campaign_id in (select campaign_id from moved)
      order by r.campaign_id for no key update
    ),
    counted as (
      update runs r set
        queued = l.queued - m.queued, unknown = l.unknown - m.unknown, failed = l.failed - m.failed,
        cancelled = l.cancelled - m.cancelled, accepted = l.accepted + m.proven,
        delivered = l.delivered + m.delivered, bounced = l.bounced + m.bounced,
        complained = l.complained + m.complained, opened = l.opened + m.opened, clicked = l.clicked + m.clicked,
        is_open = l.queued - m.queued + l.in_flight > 0
      from moved m join locked l using (campaign_id) where r.campaign_id = m.campaign_id
      returning r.campaign_id as id, r.user_id as "userId"
    ),
    kept as (
      insert into delivery_events (id, campaign_id, seq, kind, at, words)
      select e.id, e.campaign_id, e.seq, e.kind, e.at, e.words
      from unnest($13::uuid[], $14::uuid[], $15::integer[], $16::text[], $17::timestamptz[], $18::text[])
        as e (id, campaign_id, seq, kind, at, words)
      join runs r on r.campaign_id = e.campaign_id and r.account = $1::text and e.seq between 1 and r.last_seq
      order by e.id
      on conflict (id) do nothing
    )
    select coalesce((select json_agg(c) from counted c), '[]') as campaigns,
      array(
        select (f.place - 1)::integer from unnest($2::uuid[], $3::integer[]) with ordinality as f (campaign_id, seq, place)
        join runs r on r.campaign_id = f.campaign_id and r.account = $1::text
        join deliveries d on d.campaign_id = f.campaign_id and d.seq = f.seq
        where f.place <> all(array(select b.place from before b))
      ) as busy`,
}
