const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_DAYS = 7
const MONTH_DAYS = 30

/**
 * Counted in calendar days of the person who looks, for "Yesterday" is a word of the calendar: late last night is
 * yesterday even when it is an hour ago. The forms are a closed list, fixed with the product's other texts: there is
 * "N weeks ago" and nothing for a single one, so one week reads "1 weeks ago" (where those texts want a singular they
 * say so, as in "recipient(s)").
 */
export function lastUsedLabel(lastUsed: string | null, now: Date): string {
  if (lastUsed === null) return 'Never used'
  const days = calendarDay(now) - calendarDay(new Date(lastUsed))
  // The clocks of server and browser may differ: what lies ahead was used just now.
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < WEEK_DAYS) return `${days} days ago`
  if (days < MONTH_DAYS) return `${Math.floor(days / WEEK_DAYS)} weeks ago`
  return `${Math.floor(days / MONTH_DAYS)} months ago`
}

/** Days since 1970 as the local calendar counts them; one with 23 or 25 hours is a day like any other. */
const calendarDay = (date: Date): number =>
  Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS
