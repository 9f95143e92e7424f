import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { suppressionsQuery } from '../api/suppressions.ts'
import { morePages } from '../ui/more-pages.ts'
import { type ListFilter, requestOf } from './suppressions-filter.ts'

/** Those on the list that match, as far as they have been loaded. */
export function useSuppressions(filter: ListFilter) {
  const query = useInfiniteQuery({
    ...suppressionsQuery(requestOf(filter)),
    placeholderData: keepPreviousData,
    // Bounces and complaints come in at any time: whoever opens the list gets it as it is now.
    staleTime: 0,
  })
  const { data, refetch } = query
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? null, [data])
  return {
    entries,
    error: query.error,
    isFetching: query.isFetching,
    retry: () => void refetch(),
    /** What is shown belongs to the search before. */
    isOutdated: query.isPlaceholderData,
    ...morePages(query),
  }
}

export type SuppressionsModel = ReturnType<typeof useSuppressions>
