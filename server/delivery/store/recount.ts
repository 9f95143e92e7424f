import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

type Difference = { campaignId: string; counter: string; says: number; deliveriesSay: number }
type Recount = { campaigns: number; deliveries: number; differences: Difference[] }

/** For the operator, and for whoever wants to hear the same. */
export const inWords = ({ campaignId, counter, says, deliveriesSay }: Difference): string =>
  `Campaign ${campaignId}: ${counter} says ${says}, its deliveries say ${deliveriesSay}`

/**
 * Counts every delivery and compares with the counters, campaign by campaign; and finds those that nobody would send. One
 * statement sees one moment, so that it is exact while campaigns are being sent.
 */
export async function recount(db: Database): Promise<Recount> {
  const { rows } = await sql<Recount>`
    with counted as (
      select campaign_id,
        count(*) filter (where state = 'q') as queued, count(*) filter (where state = 'i') as in_flight,
        count(*) filter (where state = 'a') as accepted, count(*) filter (where state = 'f') as failed,
        count(*) filter (where state = 'u') as unknown, count(*) filter (where state = 's') as suppressed,
        count(*) filter (where state = 'c') as cancelled, count(delivered_at) filter (where bounce is null) as delivered,
        count(bounced_at) as bounced, count(*) filter (where bounce = 'f') as unsent,
        count(complained_at) as complained, count(opened_at) as opened, count(clicked_at) as clicked,
        count(machine_opened_at) as machine_opened,
        count(unsubscribed_at) as unsubscribed,
        count(*) as recipients
      from deliveries group by campaign_id
    ),
    compared as (
      select c.id, pair.* from campaigns c
      left join runs r on r.campaign_id = c.id
      left join counted d on d.campaign_id = c.id
      cross join lateral (values
        ('queued', r.queued, d.queued), ('inFlight', r.in_flight, d.in_flight), ('accepted', r.accepted, d.accepted),
        ('failed', r.failed, d.failed), ('unknown', r.unknown, d.unknown),
        ('suppressed', r.suppressed, d.suppressed), ('cancelled', r.cancelled, d.cancelled),
        ('delivered', r.delivered, d.delivered), ('bounced', r.bounced, d.bounced),
        -- Not counted in campaigns of earlier versions.
        ('unsent', coalesce(r.unsent, d.unsent, 0), d.unsent),
        ('complained', r.complained, d.complained), ('opened', r.opened, d.opened),
        ('clicked', r.clicked, d.clicked), ('machineOpened', r.machine_opened, d.machine_opened),
        ('unsubscribed', r.unsubscribed, d.unsubscribed),
        ('recipients', c.recipient_count, d.recipients),
        -- Queued or in flight, claimed once, and now neither in a window nor waiting for a time: nobody would ever look.
        ('forgotten', 0, (
          select count(*) from deliveries d
          where r.is_open and r.state <> 'cancelled' and d.campaign_id = c.id and d.state in ('q', 'i')
            and d.next_try_at is null and d.seq <= r.cursor
            and not exists (select from delivery_windows w where w.campaign_id = c.id and d.seq = any(w.seqs))
        )),
        ('open', r.is_open::integer, (coalesce(d.queued, 0) + coalesce(d.in_flight, 0) > 0)::integer)
      ) as pair (counter, says, found)
    )
    select (select count(*) from campaigns)::integer as campaigns,
      (select coalesce(sum(recipients), 0) from counted)::integer as deliveries,
      coalesce((
        select json_agg(json_build_object('campaignId', id, 'counter', counter, 'says', coalesce(says, -1),
          'deliveriesSay', coalesce(found, 0)))
        from compared where says is distinct from coalesce(found, 0)
      ), '[]') as differences`.execute(db)
  const [result] = rows
  if (!result) throw new Error('the recount gave no answer')
  return result
}
