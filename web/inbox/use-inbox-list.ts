import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { filterOfList, type InboxFilter, type InboxPageOfItems, inboxListQuery } from '../api/inbox.ts'
import { keepFound, listed } from '../api/listed.ts'
import { useHiddenMessages } from './deletions.ts'

/** The messages that match, as far as they have been loaded. */
export function useInboxList(filter: InboxFilter) {
  const hidden = useHiddenMessages()
  const shownOf = useCallback(
    ({ items }: InboxPageOfItems) => items.filter(({ messageId }) => !hidden.has(messageId)),
    [hidden],
  )
  const keep = keepFound(filter, shownOf)
  const query = useInfiniteQuery({
    ...inboxListQuery(filter),
    // The results of the word before, until those of this one are there; but never the mail of another folder.
    placeholderData: (known, of) =>
      of && filterOfList(of.queryKey).folder === filter.folder ? keep(known, of) : undefined,
    // News changes what is listed but not what matches: a search made again is asked again.
    ...(filter.q ? { staleTime: 0 } : {}),
  })
  const { data, refetch } = query
  const items = useMemo(() => data?.pages.flatMap(shownOf) ?? null, [data, shownOf])
  return {
    items,
    ...listed(query),
    /** By hand: not for the next page, and not for what is loaded for the first time. */
    isRefreshing: query.isRefetching && !query.isFetchingNextPage,
    refresh: refetch,
  }
}

export type InboxList = ReturnType<typeof useInboxList>
