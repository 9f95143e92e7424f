import type { UseInfiniteQueryResult } from '@tanstack/react-query'

type Pages = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
>

/** What a list that goes on as one scrolls needs to know of its next page. */
export const morePages = (query: Pages) => ({
  hasMore: query.hasNextPage,
  isLoadingMore: query.isFetchingNextPage,
  moreError: query.isFetchNextPageError ? query.error : null,
  loadMore: () => {
    if (!query.isFetchingNextPage) void query.fetchNextPage()
  },
})
