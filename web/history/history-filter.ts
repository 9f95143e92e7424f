import { CampaignStatus } from '../../contract/campaigns.ts'
import type { HistoryFilter } from '../api/campaigns.ts'
import { searchIn } from '../ui/search-in.ts'

/** As the address of the page keeps it: days as the calendar names them, in whichever time zone it is opened. */
export type ListFilter = { q: string; status: CampaignStatus | null; from: string | null; to: string | null }

export const NO_FILTER: ListFilter = { q: '', status: null, from: null, to: null }

/** The longest that the server searches for. */
export const SEARCH_MAX = 200

/** Whatever somebody may have typed into the address bar: what makes no sense is left out. */
export function readFilter(search: string): ListFilter {
  const query = new URLSearchParams(search)
  const status = CampaignStatus.safeParse(query.get('status'))
  return {
    q: searchIn(query, SEARCH_MAX),
    status: status.success ? status.data : null,
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
  }
}

/** With the question mark; empty when there is nothing to keep. */
export function writeFilter(filter: ListFilter): string {
  const entries = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

/** For the server: moments in place of days, and the last day is included. */
export function requestOf({ q, status, from, to }: ListFilter): HistoryFilter {
  return {
    ...(q.trim() ? { q: q.trim() } : {}),
    ...(status ? { status } : {}),
    ...(from ? { from: startOf(from, 0) } : {}),
    ...(to ? { to: startOf(to, 1) } : {}),
  }
}

/** What the Filter button has behind it; the search box speaks for itself. */
export const choicesOf = ({ status, from, to }: ListFilter): number =>
  [status, from, to].filter((choice) => choice !== null).length

export const isFiltered = (filter: ListFilter): boolean => filter.q.trim() !== '' || choicesOf(filter) > 0

export const isUpsideDown = ({ from, to }: ListFilter): boolean => from !== null && to !== null && from > to

const DAY = /^\d{4}-\d\d-\d\d$/

function dayOf(text: string | null): string | null {
  if (!text || !DAY.test(text)) return null
  const date = new Date(`${text}T00:00:00Z`)
  // The 31st of a month that has none would silently be another day.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

/** Of a year that is being typed the browser tells every digit: 0002, 0020 and 0202 on the way to 2026. */
export const isYearBegun = (day: string): boolean => day !== '' && day < '1000'

/** Midnight at the beginning of a day, or of one `daysLater`; days with a change of clocks are as long as they are. */
function startOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const midnight = new Date(2000, 0, 1)
  // Not the constructor, which takes the years 0 to 99 for the last century.
  midnight.setFullYear(year, month - 1, date + daysLater)
  return midnight.toISOString()
}
