import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'

/** How many recipients there are in which state, and what became of their mail. */
export type Totals = {
  queued: number
  inFlight: number
  accepted: number
  failed: number
  unknown: number
  suppressed: number
  cancelled: number
  delivered: number
  bounced: number
  complained: number
  opened: number
}

const COUNTERS = {
  queued: 'queued',
  inFlight: 'in_flight',
  accepted: 'accepted',
  failed: 'failed',
  unknown: 'unknown',
  suppressed: 'suppressed',
  cancelled: 'cancelled',
  delivered: 'delivered',
  bounced: 'bounced',
  complained: 'complained',
  opened: 'opened',
} as const satisfies Record<keyof Totals, string>

const sums = sql.join(
  Object.entries(COUNTERS).map(
    ([name, column]) => sql`coalesce(sum(${sql.ref(column)}), 0)::float8 as ${sql.ref(name)}`,
  ),
)

/** Every state change of a delivery moves these counters with it, so that nobody has to look at the deliveries. */
export async function sumRuns(db: Database, userId: string): Promise<Totals> {
  const { rows } = await sql<Totals>`select ${sums} from runs where user_id = ${userId}`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('a sum always has a row')
  return totals
}

export type Recent = {
  now: Date
  /** Sums of a quarter of an hour each: whatever the time zone, a day begins with one of these. */
  quarters: { at: Date; accepted: number }[]
}

/** What the campaigns of the last days have reached, by the time at which they were sent. */
export async function sumRecentRuns(db: Database, userId: string, days: number): Promise<Recent> {
  const { rows } = await sql<{ now: Date; at: Date | null; accepted: number | null }>`
    select moment.now, recent.at, recent.accepted
    from (select now()) as moment
    left join (
      select date_bin('15 minutes', created_at, timestamptz 'epoch') as at, sum(accepted)::float8 as accepted
      from runs where user_id = ${userId} and created_at > now() - make_interval(days => ${days}) group by 1
    ) as recent on true`.execute(db)
  return {
    now: rows[0]?.now ?? new Date(),
    quarters: rows.flatMap(({ at, accepted }) => (at && accepted !== null ? [{ at, accepted }] : [])),
  }
}
