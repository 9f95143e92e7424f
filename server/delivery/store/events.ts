import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Database, prepared } from '../../platform/database.ts'
import type { ProviderEvent } from '../../providers/events.ts'
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
  let left = events.flatMap((event) => notesOf(account, event))
  for (let pauses = 0; left.length > 0; pauses++) {
    const { campaigns, busy } = await recordNotes(db, account, left)
    for (const campaign of campaigns) moved.set(campaign.id, campaign)
    left = left.filter(({ id }) => busy.has(id))
    if (left.length === 0) break
    if (pauses === PAUSES_MAX) throw new Error('deliveries stayed locked for too long to note their events')
    await setTimeout(PAUSE_MS)
  }
  return [...moved.values()]
}

type Note = { id: string; campaignId: string; seq: number; event: ProviderEvent }

function notesOf(account: string, event: ProviderEvent): Note[] {
  const delivery = event.tag === null ? null : readDeliveryTag(event.tag)
  return delivery ? [{ id: eventId(account, event.id), ...delivery, event }] : []
}

async function recordNotes(db: Database, account: string, notes: readonly Note[]) {
  const [row] = await prepared<{ campaigns: Moved[]; busy: string[] }>(db, RECORD, [
    account,
    notes.map(({ id }) => id),
    notes.map(({ campaignId }) => campaignId),
    notes.map(({ seq }) => seq),
    notes.map(({ event }) => factOf(event)),
    notes.map(({ event }) => event.at.toISOString()),
    notes.map(({ event }) => storable(event.words)),
  ])
  return { campaigns: row?.campaigns ?? [], busy: new Set(row?.busy) }
}

/** Each event has one row for ever, whatever its provider calls it; another account may use the same names. */
function eventId(account: string, id: string): string {
  const hash = createHash('sha256').update(`${account}\n${id}`).digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** The database keeps no NUL; the rest is kept as it was said. */
const storable = (words: string | null): string | null => words?.replaceAll('\0', '') ?? null

/** One word for what is to be noted. A fetch by a machine is kept as an event but is nobody's reading. */
function factOf(event: ProviderEvent): string {
  switch (event.kind) {
    case 'bounced':
      return `bounced ${event.bounce}`
    case 'opened':
    case 'clicked':
      return event.isMachine ? `${event.kind} by machine` : event.kind
    default:
      return event.kind
  }
}

/**
 * What brought a mail back has a rank, so that the worst is told whichever comes first: there is no such mailbox, before
 * it could be another time, before the mail itself, before a provider that did not even try. Any event proves that the
 * provider has the mail: then it is neither to be sent (again) nor unknown. What is in flight stays so until its call is
 * settled, and is then settled by this proof.
 */
const RECORD = {
  name: 'record-events',
  text: `
    with told as (
      select distinct on (t.id) t.id, t.campaign_id, t.seq, t.kind, t.at, t.words
      from unnest($2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::timestamptz[], $7::text[])
        as t (id, campaign_id, seq, kind, at, words)
      join runs r on r.campaign_id = t.campaign_id and r.account = $1::text and t.seq between 1 and r.last_seq
      order by t.id
    ),
    -- Read under the lock, so that nobody else's change lies between. Never waited for: who writes outcomes locks many of
    -- them too, in another order. What is locked now is left out, and comes again.
    before as materialized (
      select d.campaign_id, d.seq, d.state, d.bounce, d.bounced_at, d.reason,
        d.delivered_at is not null as had_delivered, d.complained_at is not null as had_complained,
        d.opened_at is not null as had_opened, d.clicked_at is not null as had_clicked,
        array_position(array['f', 'm', 's', 'h'], d.bounce::text) as had_rank
      from deliveries d where (d.campaign_id, d.seq) in (select campaign_id, seq from told)
      for no key update skip locked
    ),
    fresh as (
      insert into delivery_events (id, campaign_id, seq, kind, at, words)
      select t.id, t.campaign_id, t.seq, t.kind, t.at, t.words from told t join before b using (campaign_id, seq)
      order by t.id
      on conflict (id) do nothing
      returning campaign_id, seq, kind, at, words,
        array_position(array['failed', 'bounced message', 'bounced soft', 'bounced hard'], kind) as rank
    ),
    facts as (
      select campaign_id, seq, min(at) as confirmed_at,
        min(at) filter (where kind = 'delivered') as delivered_at,
        min(at) filter (where kind = 'complained') as complained_at,
        min(at) filter (where kind = 'opened') as opened_at,
        min(at) filter (where kind = 'clicked') as clicked_at,
        min(at) filter (where kind = 'unsubscribed') as unsubscribed_at,
        max(rank) as rank,
        (array_agg(at order by rank desc, at, words) filter (where rank is not null))[1] as bounced_at,
        (array_agg(words order by rank desc, at, words) filter (where rank is not null))[1] as words
      from fresh group by campaign_id, seq
    ),
    judged as (
      select b.campaign_id, b.seq, b.state, b.had_delivered, b.had_complained, b.had_opened, b.had_clicked,
        b.had_rank is not null as had_bounced, b.state in ('q', 'u', 'f', 'c') as is_proven,
        f.rank is not null and (b.had_rank is null or (f.rank, b.bounced_at, coalesce(b.reason, ''))
          > (b.had_rank, f.bounced_at, coalesce(f.words, ''))) as is_worse,
        f.confirmed_at, f.delivered_at, f.bounced_at, f.complained_at, f.opened_at, f.clicked_at, f.unsubscribed_at,
        f.rank, f.words
      from before b join facts f on f.campaign_id = b.campaign_id and f.seq = b.seq
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
      from judged j where d.campaign_id = j.campaign_id and d.seq = j.seq
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
    )
    select coalesce((select json_agg(c) from counted c), '[]') as campaigns,
      array(
        select t.id from told t join deliveries d using (campaign_id, seq)
        where not exists (select from before b where b.campaign_id = t.campaign_id and b.seq = t.seq)
      ) as busy`,
}
