import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type CampaignDetail,
  CampaignRecipients,
  type CampaignStatus,
  type DeliveriesPage,
  type DeliveryState,
  type HistoryEntry,
  IDEMPOTENCY_KEY_HEADER,
  NEXT_CURSOR_HEADER,
  type RetryUnconfirmedRequest,
  type SendEmailRequest,
  SendEmailResponse,
} from '../../contract/campaigns.ts'
import { apiRequest, readJson } from './client.ts'

/** Storing 100,000 recipients takes a few seconds on a slow machine. */
const SEND_TIMEOUT_MS = 120_000

/** `key` is made once for what the person means to send: pressing twice, or trying again after a cut, sends once. */
export async function sendEmail(request: SendEmailRequest, key: string): Promise<SendEmailResponse> {
  const response = await apiRequest('POST', '/api/send-email', request, {
    headers: { [IDEMPOTENCY_KEY_HEADER]: key },
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return SendEmailResponse.parse(await readJson(response))
}

export type HistoryFilter = {
  q?: string
  status?: CampaignStatus
  from?: string
  to?: string
}

export type HistoryPageOfEntries = { entries: HistoryEntry[]; nextCursor: string | null }

export const HISTORY = '/api/email-history'
export const historyKey = [HISTORY, 'list'] as const
const HISTORY_STEP = '50'

export const historyQuery = (filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: [...historyKey, filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<HistoryPageOfEntries> => {
      const query = new URLSearchParams({ limit: HISTORY_STEP, ...withoutEmpty(filter) })
      if (pageParam !== '') query.set('cursor', pageParam)
      const response = await apiRequest('GET', `${HISTORY}?${query}`, undefined, { signal })
      // The server answers by the same contract; there a date is a date, here its text.
      const entries = (await readJson(response)) as HistoryEntry[]
      return { entries, nextCursor: response.headers.get(NEXT_CURSOR_HEADER) }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const campaignsKey = [HISTORY, 'campaign'] as const
export const campaignKey = (id: string) => [...campaignsKey, id] as const

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: campaignKey(id),
    queryFn: async ({ signal }) => {
      const response = await apiRequest('GET', `${HISTORY}/${encodeURIComponent(id)}`, undefined, { signal })
      return (await readJson(response)) as CampaignDetail
    },
  })

export type DeliveriesFilter = { state?: DeliveryState; q?: string }

export const deliveriesKey = (id: string) => [HISTORY, 'deliveries', id] as const
const DELIVERIES_STEP = '100'

export const deliveriesQuery = (id: string, filter: DeliveriesFilter) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(id), filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: DELIVERIES_STEP, ...withoutEmpty(filter) })
      if (pageParam !== '') query.set('cursor', pageParam)
      const path = `${HISTORY}/${encodeURIComponent(id)}/deliveries?${query}`
      const response = await apiRequest('GET', path, undefined, { signal })
      return (await readJson(response)) as DeliveriesPage
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** For a link: the browser saves it. */
export const deliveriesCsvPath = (id: string): string => `${HISTORY}/${encodeURIComponent(id)}/deliveries.csv`

export type CampaignAction = 'pause' | 'resume' | 'cancel' | 'retry-failed' | 'retry-unconfirmed'

/** Answers with the campaign as it stands then. */
export async function actOnCampaign(
  id: string,
  action: CampaignAction,
  request: RetryUnconfirmedRequest = {},
): Promise<CampaignDetail> {
  const response = await apiRequest('POST', `${HISTORY}/${encodeURIComponent(id)}/${action}`, request)
  return (await readJson(response)) as CampaignDetail
}

/** Everybody a campaign went to; a history entry names only the first hundred. */
export async function fetchRecipients(id: string): Promise<string[]> {
  const response = await apiRequest('GET', `${HISTORY}/${encodeURIComponent(id)}/recipients`)
  return CampaignRecipients.parse(await readJson(response)).recipients
}

const withoutEmpty = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])))
