import { dateWriter } from '../ui/words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const sameYear = dateWriter({ month: 'short', day: 'numeric' })
const otherYear = dateWriter({ month: 'short', day: 'numeric', year: 'numeric' })

/** How long ago, in the calendar of whoever looks. */
export function agoWords(date: Date, now: Date): string {
  const passed = now.getTime() - date.getTime()
  // Clocks differ a little; a moment that is still to come has just been.
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`
  const days = daysBetween(date, now)
  if (days === 0 || passed < 6 * HOUR) {
    const hours = Math.floor(passed / HOUR)
    return `${hours} ${hours === 1 ? 'hour' : 'hours'} ago`
  }
  if (days === 1) return 'yesterday'
  if (days < 7) return `${days} days ago`
  return date.getFullYear() === now.getFullYear() ? sameYear(date) : otherYear(date)
}

/** Midnights that lie between; days with a change of clocks are not 24 hours long. */
function daysBetween(date: Date, now: Date): number {
  const midnight = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime()
  return Math.round((midnight(now) - midnight(date)) / DAY)
}
