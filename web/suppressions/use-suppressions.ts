import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keepFound, listed } from '../api/listed.ts'
import { suppressionsQuery } from '../api/suppressions.ts'
import { type ListFilter, requestOf } from './suppressions-filter.ts'

/** Those on the list that match, as far as they have been loaded. */
export function useSuppressions(filter: ListFilter) {
  const request = requestOf(filter)
  const query = useInfiniteQuery({
    ...suppressionsQuery(request),
    placeholderData: keepFound(request, ({ entries }) => entries),
    // Bounces and complaints come in at any time: whoever opens the list gets it as it is now.
    staleTime: 0,
  })
  const { data } = query
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? null, [data])
  return { entries, ...listed(query) }
}

export type SuppressionsModel = ReturnType<typeof useSuppressions>
