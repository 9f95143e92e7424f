import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { messageOf } from './client.ts'

type Pages = Pick<
  UseInfiniteQueryResult,
  | 'error'
  | 'fetchNextPage'
  | 'hasNextPage'
  | 'isFetching'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'isPlaceholderData'
  | 'refetch'
>

/** How a list stands that goes on as one scrolls. */
export const listed = (query: Pages) => ({
  /** Why it could not be loaded, in the server's words. */
  failure: query.error === null ? null : messageOf(query.error),
  isFetching: query.isFetching,
  retry: () => void query.refetch(),
  /** What is shown belongs to the search before. */
  isOutdated: query.isPlaceholderData,
  hasMore: query.hasNextPage,
  /** For what stands at its end. */
  end: {
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    isBusy: query.isFetching,
    error: query.isFetchNextPageError ? messageOf(query.error) : null,
    onMore: () => {
      // What is being read again goes on: the end of the list is still in sight after it, and loads by itself then.
      if (!query.isFetchingNextPage) void query.fetchNextPage({ cancelRefetch: false })
    },
  },
})

/**
 * What the search before has found stays in sight until this one's is there. That it has found nothing does not: where
 * all are asked for, "there are none" would be untrue.
 */
export const keepFound =
  <Page>(isSearch: boolean, rowsOf: (page: Page) => readonly unknown[]) =>
  (known: InfiniteData<Page, string> | undefined): InfiniteData<Page, string> | undefined =>
    isSearch || known?.pages.some((page) => rowsOf(page).length > 0) ? known : undefined
