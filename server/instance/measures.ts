import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import type { Metrics, Sample } from '../platform/metrics.ts'

/**
 * What an operator watches. What concerns all processes is read from the database, and every process tells the same; what
 * concerns one, such as its memory, each tells of itself.
 */
export function addMeasures(metrics: Metrics, db: Database): void {
  const all = async (query: ReturnType<typeof sql<Sample>>): Promise<readonly Sample[]> =>
    (await query.execute(db)).rows
  const alone = (value: number): Sample[] => [{ value }]

  metrics.gauge('postrider_deliveries', 'Deliveries of campaigns under way, by what they wait for', () =>
    all(sql<Sample>`
      select json_build_object('state', s.state) as labels, s.value::float8 as value from (
        select coalesce(sum(queued), 0) as queued, coalesce(sum(in_flight), 0) as in_flight
        from runs where is_open
      ) r cross join lateral (values ('queued', r.queued), ('in_flight', r.in_flight)) s (state, value)`),
  )
  metrics.gauge('postrider_campaigns_open', 'Campaigns under way, by state', () =>
    all(sql<Sample>`
      select json_build_object('state', s.state) as labels, count(r.state)::float8 as value
      from (values ('sending'), ('paused'), ('cancelled')) s (state)
      left join runs r on r.is_open and r.state = s.state group by s.state order by s.state`),
  )
  metrics.gauge('postrider_oldest_sending_seconds', 'Age of the oldest campaign that is being sent', () =>
    all(sql<Sample>`
      select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as value
      from runs where is_open and state = 'sending'`),
  )
  metrics.gauge('postrider_accounts_out_of_order', 'Provider accounts that are not called for now', () =>
    all(sql<Sample>`
      select count(*)::float8 as value from account_holds where outage is not null and held_until > now()`),
  )
  metrics.gauge('postrider_jobs', 'Background jobs, by queue and state', () =>
    all(sql<Sample>`
      select json_build_object('queue', name, 'state', state) as labels, count(*)::float8 as value
      from pgboss.job where state in ('created', 'retry', 'active') group by name, state order by name, state`),
  )
  metrics.gauge(
    'postrider_inbox_unread_by_us',
    'Received mails that are stored and not taken apart yet',
    () => all(sql<Sample>`select count(*)::float8 as value from inbox_messages where state = 'w'`),
  )
  metrics.gauge('postrider_telegram_waiting', 'What was said to the bot, and is to be told by it', () =>
    all(sql<Sample>`
      select json_build_object('what', 'updates') as labels, count(*)::float8 as value
      from telegram_updates where handled_at is null
      union all
      select json_build_object('what', 'alerts'), count(*)::float8 from telegram_alerts where told_at is null`),
  )

  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  metrics.gauge('postrider_event_loop_delay_seconds', 'How late timers were since the last look', () => {
    const seconds = (nanoseconds: number): number =>
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - 0.01) : 0
    const samples = [0.5, 0.99, 1].map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: seconds(delay.percentile(quantile * 100)),
    }))
    delay.reset()
    return samples
  })
  metrics.gauge('process_resident_memory_bytes', 'Memory of this process', () =>
    alone(process.memoryUsage.rss()),
  )
  metrics.gauge('process_cpu_seconds_total', 'Processor time of this process', () => {
    const { user, system } = process.cpuUsage()
    return alone((user + system) / 1e6)
  })
  metrics.gauge('process_start_time_seconds', 'When this process began', () =>
    alone(Math.round(Date.now() / 1000 - process.uptime())),
  )
}
