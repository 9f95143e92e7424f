import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { historyQuery } from '../api/campaigns.ts'
import { keepFound, listed } from '../api/listed.ts'
import { isFiltered, type ListFilter, requestOf } from './history-filter.ts'

/** The campaigns that match, as far as they have been loaded. */
export function useHistoryList(filter: ListFilter) {
  const request = requestOf(filter)
  const query = useInfiniteQuery({
    ...historyQuery(request),
    placeholderData: keepFound(request, ({ entries }) => entries),
    // Live news changes what is listed but not what matches: a choice made again is asked again.
    ...(isFiltered(filter) ? { staleTime: 0 } : {}),
  })
  const { data, refetch, isPlaceholderData } = query
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? null, [data])

  const hasLeft =
    !isPlaceholderData &&
    filter.status !== null &&
    (entries?.some(({ status }) => status !== filter.status) ?? false)
  useEffect(() => {
    if (hasLeft) void refetch()
  }, [hasLeft, refetch])

  return { entries, ...listed(query) }
}
