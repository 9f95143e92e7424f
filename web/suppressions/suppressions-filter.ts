import { SuppressionReason } from '../../contract/suppressions.ts'
import type { SuppressionsFilter } from '../api/suppressions.ts'
import { searchIn } from '../ui/search-in.ts'

/** As the address of the page keeps it. */
export type ListFilter = { q: string; reason: SuppressionReason | null }

export const NO_FILTER: ListFilter = { q: '', reason: null }

/** The longest that the server searches for. */
export const SEARCH_MAX = 320

/** Whatever somebody may have typed into the address bar: what makes no sense is left out. */
export function readFilter(search: string): ListFilter {
  const query = new URLSearchParams(search)
  const reason = SuppressionReason.safeParse(query.get('reason'))
  return {
    q: searchIn(query, SEARCH_MAX),
    reason: reason.success ? reason.data : null,
  }
}

/** With the question mark; empty when there is nothing to keep. */
export function writeFilter({ q, reason }: ListFilter): string {
  const query = new URLSearchParams({ ...(q ? { q } : {}), ...(reason ? { reason } : {}) })
  return query.size > 0 ? `?${query}` : ''
}

export const requestOf = ({ q, reason }: ListFilter): SuppressionsFilter => ({
  ...(q.trim() ? { q: q.trim() } : {}),
  ...(reason ? { reason } : {}),
})

export const isFiltered = ({ q, reason }: ListFilter): boolean => q.trim() !== '' || reason !== null
