import { type Database, prepared } from '../platform/database.ts'

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
  isPresumed: boolean
  bounced: number
  complained: number
  opened: number
  /** Delivered, or where a campaign's provider reports no deliveries: accepted and not come back. */
  arrived: number
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
  arrived: 'case when delivered > 0 then delivered else greatest(accepted - bounced, 0) end',
} as const satisfies Record<Exclude<keyof Totals, 'isPresumed'>, string>

const SUM_RUNS = {
  name: 'stats-totals',
  text: `select ${Object.entries(COUNTERS)
    .map(([name, column]) => `coalesce(sum(${column}), 0)::float8 as "${name}"`)
    .join(', ')}, coalesce(bool_or(is_presumed), false) as "isPresumed" from runs where user_id = $1`,
}

/** Every state change of a delivery moves these counters with it, so that nobody has to look at the deliveries. */
export async function sumRuns(db: Database, userId: string): Promise<Totals> {
  const [totals] = await prepared<Totals>(db, SUM_RUNS, [userId])
  if (!totals) throw new Error('a sum always has a row')
  return totals
}

export type Recent = {
  now: Date
  /** Sums of a quarter of an hour each: whatever the time zone, a day begins with one of these. */
  quarters: { at: Date; accepted: number }[]
}

const SUM_RECENT_RUNS = {
  name: 'stats-recent',
  text: `
    select moment.now, recent.at, recent.accepted
    from (select now()) as moment
    left join (
      select date_bin('15 minutes', created_at, timestamptz 'epoch') as at, sum(accepted)::float8 as accepted
      from runs where user_id = $1 and created_at > now() - make_interval(days => $2) group by 1
    ) as recent on true`,
}

/** What the campaigns of the last days have reached, by the time at which they were sent. */
export async function sumRecentRuns(db: Database, userId: string, days: number): Promise<Recent> {
  const rows = await prepared<{ now: Date; at: Date | null; accepted: number | null }>(db, SUM_RECENT_RUNS, [
    userId,
    days,
  ])
  return {
    now: rows[0]?.now ?? new Date(),
    quarters: rows.flatMap(({ at, accepted }) => (at && accepted !== null ? [{ at, accepted }] : [])),
  }
}
