import { type Database, prepared } from '../../platform/database.ts'
import type { ProviderEvent } from '../../providers/events.ts'
import { factsOf, nameOf, storable } from '../facts.ts'
import { readDeliveryTag } from '../identity.ts'
import { strengthOf, UNLESS_OUTRANKED } from '../outranking.ts'
import { createPauses } from './busy-rows.ts'
import { SOFT_BOUNCES, SOFT_MAX } from './soft-bounces.ts'
import { eventId, firstStories } from './stories.ts'

/** A campaign that events have moved, and whose it is. */
export type Moved = { id: string; userId: string }
/** `isWorse`: some of it came back (what the provider did not send has not), or somebody complained. */
type MovedByEvents = Moved & { account: string; isWorse: boolean }
/** A mailbox that was reported about and that its user may not write to, whether since now or before. */
type Suppressed = { userId: string; key: string }
export type Recorded = { moved: MovedByEvents[]; suppressed: Suppressed[] }

/**
 * What has happened to deliveries after a provider took them, one statement and one commit a round. Facts only ever add
 * up: told again, in another order, or before our own record of the provider's answer, events lead to the same rows and
 * the same counts. An account speaks only of what it carried itself; null stands for ourselves, who carry all.
 *
 * Each round is told as soon as it is committed: what it asks for must not be lost with a later one that fails.
 */
export async function* recordEvents(
  db: Database,
  account: string | null,
  events: readonly ProviderEvent[],
): AsyncGenerator<Recorded, void, void> {
  let left = byDelivery(await firstStories(db, account, events))
  const pause = createPauses()
  while (left.length > 0) {
    const { moved, suppressed, busy } = await recordFacts(db, account, left)
    yield { moved, suppressed }
    left = left.filter((_, index) => busy.has(index))
    if (left.length === 0) return
    await pause()
  }
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

async function recordFacts(db: Database, account: string | null, reported: readonly Reported[]) {
  const facts = reported.map(({ events }) => factsOf(events, account === null))
  const all = reported.flatMap(({ campaignId, seq, events }) =>
    events.map((event) => ({ campaignId, seq, event })),
  )
  const [row] = await prepared<Recorded & { busy: number[] }>(db, RECORD, [
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
    facts.map(({ machineOpenedAt }) => machineOpenedAt),
  ])
  return { moved: row?.moved ?? [], suppressed: row?.suppressed ?? [], busy: new Set(row?.busy) }
}

const SPEAKS_OF = `($1::text is null or r.account = $1::text)`

/**
 * The facts of one delivery in a row. What is locked now is told as busy, and comes again. Of an event that was told
 * before the facts are there already, and nothing is written.
 *
 * An event proves that the provider has the mail: then it is neither to be sent (again) nor unknown. What is in flight
 * stays so until its call is settled, and is then settled by this proof. Only a machine that fetches a picture from us
 * proves nothing.
 *
 * Who does not want or cannot get mail is suppressed in the same commit. Of those reported about, all who are on the
 * list are told, not only who is new there: whoever told it first may have failed before it was obeyed.
 */
const RECORD = {
  name: 'record-events',
  text: `
    with before as materialized (
      select f.*, r.user_id, d.address, d.address_key, d.state, d.bounce, d.bounced_at as had_bounced_at, d.reason,
        d.delivered_at is not null as had_delivered, d.complained_at is not null as had_complained,
        d.opened_at is not null as had_opened, d.clicked_at is not null as had_clicked,
        d.machine_opened_at is not null as had_machine_opened, d.unsubscribed_at is not null as had_unsubscribed,
        array_position(array['f', 'm', 's', 'h'], d.bounce::text) as had_rank,
        row (least(d.confirmed_at, f.confirmed_at), least(d.delivered_at, f.delivered_at),
          least(d.complained_at, f.complained_at), least(d.opened_at, f.opened_at), least(d.clicked_at, f.clicked_at),
          least(d.unsubscribed_at, f.unsubscribed_at), least(d.machine_opened_at, f.machine_opened_at))
          is distinct from row (d.confirmed_at, d.delivered_at, d.complained_at, d.opened_at, d.clicked_at,
          d.unsubscribed_at, d.machine_opened_at) as is_news
      from unnest($2::uuid[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
          $8::timestamptz[], $9::timestamptz[], $10::smallint[], $11::timestamptz[], $12::text[], $19::timestamptz[])
        with ordinality
        as f (campaign_id, seq, confirmed_at, delivered_at, complained_at, opened_at, clicked_at, unsubscribed_at,
          rank, bounced_at, words, machine_opened_at, place)
      join runs r on r.campaign_id = f.campaign_id and ${SPEAKS_OF}
      join deliveries d on d.campaign_id = f.campaign_id and d.seq = f.seq
      for no key update of d skip locked
    ),
    judged as (
      select b.*, b.had_rank is not null as had_bounced,
        b.confirmed_at is not null and b.state in ('q', 'u', 'f', 'c', 's') as is_proven,
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
        machine_opened_at = least(d.machine_opened_at, j.machine_opened_at),
        bounce = case when j.is_worse then ((array['f', 'm', 's', 'h'])[j.rank])::"char" else d.bounce end,
        bounced_at = case when j.is_worse then j.bounced_at else d.bounced_at end,
        reason = case when j.is_worse then j.words when j.is_proven and d.bounce is null then null else d.reason end
      from judged j where d.campaign_id = j.campaign_id and d.seq = j.seq and (j.is_news or j.is_proven or j.is_worse)
      returning d.campaign_id, d.seq, j.user_id, j.address, j.address_key, case when j.is_proven then j.state end as was,
        d.accepted_at, d.delivered_at, d.bounced_at, d.bounce, j.is_worse, j.words,
        (d.delivered_at is not null and d.bounce is null)::integer
          - (j.had_delivered and not j.had_bounced)::integer as delivered,
        (d.bounce is not null)::integer - j.had_bounced::integer as bounced,
        (d.bounce is not distinct from 'f')::integer - (j.bounce is not distinct from 'f')::integer as unsent,
        (d.complained_at is not null)::integer - j.had_complained::integer as complained,
        (d.opened_at is not null)::integer - j.had_opened::integer as opened,
        (d.clicked_at is not null)::integer - j.had_clicked::integer as clicked,
        (d.machine_opened_at is not null)::integer - j.had_machine_opened::integer as machine_opened,
        (d.unsubscribed_at is not null)::integer - j.had_unsubscribed::integer as unsubscribed
    ),
    moved as (
      select campaign_id, count(was) as proven,
        count(*) filter (where was = 'q') as queued, count(*) filter (where was = 'u') as unknown,
        count(*) filter (where was = 'f') as failed, count(*) filter (where was = 'c') as cancelled,
        count(*) filter (where was = 's') as suppressed,
        sum(delivered) as delivered, sum(bounced) as bounced, sum(unsent) as unsent, sum(complained) as complained,
        sum(opened) as opened, sum(clicked) as clicked, sum(machine_opened) as machine_opened,
        sum(unsubscribed) as unsubscribed
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
        cancelled = l.cancelled - m.cancelled, suppressed = l.suppressed - m.suppressed,
        accepted = l.accepted + m.proven,
        delivered = l.delivered + m.delivered, bounced = l.bounced + m.bounced, unsent = l.unsent + m.unsent,
        complained = l.complained + m.complained, opened = l.opened + m.opened, clicked = l.clicked + m.clicked,
        machine_opened = l.machine_opened + m.machine_opened, unsubscribed = l.unsubscribed + m.unsubscribed,
        is_open = l.queued - m.queued + l.in_flight > 0
      from moved m join locked l using (campaign_id) where r.campaign_id = m.campaign_id
      returning r.campaign_id as id, r.user_id as "userId", r.account,
        m.bounced > m.unsent or m.complained > 0 as "isWorse"
    ),
    ${SOFT_BOUNCES},
    suppressed as (
      insert into suppressions as s (user_id, address_key, address, reason, campaign_id, seq, words)
      select distinct on (n.user_id, n.address_key) n.user_id, n.address_key, n.address, w.reason, n.campaign_id, n.seq,
        case when w.reason in ('h', 's') then n.words end
      from noted n
      left join softened t on t.user_id = n.user_id and t.address_key = n.address_key
      cross join lateral (
        select (case when n.complained > 0 then 'c' when n.unsubscribed > 0 then 'u'
          when n.is_worse and n.bounce = 'h' then 'h' when n.is_worse and t.streak >= ${SOFT_MAX} then 's' end)::"char" as reason
      ) w
      where w.reason is not null
      -- All who suppress several do it in the order of their addresses.
      order by n.user_id, n.address_key, ${strengthOf('w.reason')} desc
      ${UNLESS_OUTRANKED}
      returning s.user_id, s.address_key
    ),
    kept as (
      insert into delivery_events (id, campaign_id, seq, kind, at, words)
      select e.id, e.campaign_id, e.seq, e.kind, e.at, e.words
      from unnest($13::uuid[], $14::uuid[], $15::integer[], $16::text[], $17::timestamptz[], $18::text[])
        as e (id, campaign_id, seq, kind, at, words)
      join runs r on r.campaign_id = e.campaign_id and ${SPEAKS_OF} and e.seq between 1 and r.last_seq
      order by e.id
      on conflict (id) do nothing
    )
    select coalesce((select json_agg(c) from counted c), '[]') as moved,
      coalesce((
        select json_agg(json_build_object('userId', l.user_id, 'key', l.address_key)) from (
          select user_id, address_key from suppressed
          union select user_id, address_key from before b join suppressions s using (user_id, address_key)
        ) l
      ), '[]') as suppressed,
      array(
        select (f.place - 1)::integer from unnest($2::uuid[], $3::integer[]) with ordinality as f (campaign_id, seq, place)
        join runs r on r.campaign_id = f.campaign_id and ${SPEAKS_OF}
        join deliveries d on d.campaign_id = f.campaign_id and d.seq = f.seq
        where f.place <> all(array(select b.place from before b))
      ) as busy`,
}
