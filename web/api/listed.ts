import { hashKey, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
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

type Question = { q?: string }
type Asked = { queryKey: readonly unknown[] }

/**
 * What the question before has found stays in sight until this one is answered. That it has found nothing stays only
 * while somebody types a search: of any other question, "there are none" may be untrue.
 */
export const keepFound =
  <Page>(question: Question, rowsOf: (page: Page) => readonly unknown[]) =>
  (known: InfiniteData<Page, string> | undefined, before: Asked | undefined): typeof known =>
    isTyped(before?.queryKey.at(-1) as Question | undefined, question) ||
    known?.pages.some((page) => rowsOf(page).length > 0)
      ? known
      : undefined

const isTyped = (before: Question | undefined, now: Question): boolean =>
  Boolean(before?.q && now.q) && hashKey([{ ...before, q: null }]) === hashKey([{ ...now, q: null }])
