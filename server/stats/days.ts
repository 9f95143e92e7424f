import { ACTIVITY_DAYS, type EmailActivity } from '../../contract/stats.ts'
import { AppError } from '../platform/errors.ts'
import type { Recent } from './store.ts'

/** The last days of somebody's calendar take no longer than this, whatever the clocks there were changed by. */
export const DAYS_BACK = ACTIVITY_DAYS + 1
const DAY_MS = 24 * 3600 * 1000

/** Tells the day, as 2026-11-15, that a moment belongs to in a time zone. */
type Calendar = (moment: Date) => string

export function calendarOf(timeZone: string): Calendar {
  try {
    // This is how Sweden writes dates.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
    return (moment) => format.format(moment)
  } catch (cause) {
    throw new AppError(400, 'The time zone is not a known one, for example Europe/Vienna or UTC', { cause })
  }
}

/** Days that end with today, the oldest first, those without mail included. */
export function byDay({ now, quarters }: Recent, calendar: Calendar): EmailActivity {
  const sent = new Map(lastDays(calendar(now)).map((date) => [date, 0]))
  for (const { at, accepted } of quarters) {
    const date = calendar(at)
    const before = sent.get(date)
    if (before !== undefined) sent.set(date, before + accepted)
  }
  return [...sent].map(([date, count]) => ({ name: weekday.format(new Date(date)), sent: count, date }))
}

/** Counted on the calendar: a day of 23 hours is a day. */
function lastDays(today: string): string[] {
  const last = Date.parse(today)
  return Array.from({ length: ACTIVITY_DAYS }, (_, index) =>
    new Date(last - (ACTIVITY_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
}

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
