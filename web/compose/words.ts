import type { SendDoubt } from '../api/send-doubt.ts'
import { dateWriter } from '../ui/words.ts'

export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

export const doubtInShort: Record<SendDoubt, string> = {
  unanswered: 'may have been sent',
  'sent before': 'an earlier version was sent',
  'maybe sent before': 'an earlier version may have been sent',
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const dateOf = dateWriter({ month: 'short', day: 'numeric', year: 'numeric' })

/** How long ago, in words; after a week it is a date. */
export function age(then: number, now: number): string {
  const past = Math.max(0, now - then)
  if (past < MINUTE) return 'just now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`
  const days = Math.floor(past / DAY)
  if (days < 7) return `${days} ${plural(days, 'day', 'days')} ago`
  return dateOf(then)
}
