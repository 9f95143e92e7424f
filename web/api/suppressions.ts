import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import {
  AddSuppressionsResponse,
  CheckSuppressionsResponse,
  NEXT_CURSOR_HEADER,
  REASON_CHANGED,
  type RemoveSuppressionRequest,
  SUPPRESSIONS_PAGE,
  type Suppression,
  type SuppressionReason,
} from '../../contract/suppressions.ts'
import { ApiError, apiRequest, readJson } from './client.ts'
import { readAgain } from './read-again.ts'

const SUPPRESSIONS = '/api/suppressions'
export const suppressionsKey = [SUPPRESSIONS] as const

/** For a link: the browser saves it. */
export const SUPPRESSIONS_CSV = `${SUPPRESSIONS}.csv`

/** Storing 100,000 addresses takes a few seconds on a slow machine. */
const ADD_TIMEOUT_MS = 120_000

export type SuppressionsFilter = { q?: string; reason?: SuppressionReason }
type SuppressionsPage = { entries: Suppression[]; nextCursor: string | null }

export const suppressionsQuery = (filter: SuppressionsFilter) =>
  infiniteQueryOptions({
    queryKey: [...suppressionsKey, filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<SuppressionsPage> => {
      const query = new URLSearchParams({ limit: String(SUPPRESSIONS_PAGE), ...filter })
      if (pageParam !== '') query.set('cursor', pageParam)
      const response = await apiRequest('GET', `${SUPPRESSIONS}?${query}`, undefined, { signal })
      // The server answers by the same contract; there a date is a date, here its text.
      const entries = (await readJson(response)) as Suppression[]
      return { entries, nextCursor: response.headers.get(NEXT_CURSOR_HEADER) }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export async function addSuppressions(addresses: string[]): Promise<AddSuppressionsResponse> {
  const options = { timeoutMs: ADD_TIMEOUT_MS }
  const response = await apiRequest('POST', SUPPRESSIONS, { addresses }, options)
  return AddSuppressionsResponse.parse(await readJson(response))
}

/** With the reason that is shown: whoever has unsubscribed or complained since stays on the list. */
export async function removeSuppression({ address, reason }: Suppression): Promise<void> {
  const request: RemoveSuppressionRequest = { address, reason }
  await apiRequest('POST', `${SUPPRESSIONS}/remove`, request)
}

/** By its words, for a 409 is also the answer to a page whose account is not the one that is signed in. */
export const isReasonChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.message.includes(REASON_CHANGED)

export const readSuppressionsAgain = (client: QueryClient): void =>
  readAgain(client, { queryKey: suppressionsKey })

/**
 * Takes it out of what is shown, so that whoever has scrolled far down stays where they are. What is just being read may
 * still have it, and would bring it back.
 */
export function forgetSuppression(client: QueryClient, address: string): void {
  client.setQueriesData<InfiniteData<SuppressionsPage>>({ queryKey: suppressionsKey }, (known) =>
    known
      ? {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            entries: page.entries.filter((entry) => entry.address !== address),
          })),
        }
      : known,
  )
  if (client.isFetching({ queryKey: suppressionsKey }) > 0) readSuppressionsAgain(client)
}

/** Which of these would be left out, exactly as they were asked about. */
export async function checkSuppressions(recipients: string[], signal: AbortSignal): Promise<string[]> {
  const response = await apiRequest('POST', `${SUPPRESSIONS}/check`, { recipients }, { signal })
  return CheckSuppressionsResponse.parse(await readJson(response)).suppressed
}
