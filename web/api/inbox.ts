import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { IDEMPOTENCY_KEY_HEADER } from '../../contract/campaigns.ts'
import {
  type ChangeMessageRequest,
  INBOX_PAGE,
  InboxAddress,
  type InboxFolder,
  type InboxItem,
  type InboxMessage,
  InboxSummary,
  NEXT_CURSOR_HEADER,
  type ReplyRequest,
  ReplyResponse,
} from '../../contract/inbox.ts'
import { apiRequest, readJson, readText } from './client.ts'

const INBOX = '/api/inbox'

/** By these two a message is found. */
export type MessagePlace = Pick<InboxItem, 'inboxId' | 'messageId'>

/** With a `campaign` the folder does not matter: its answers may be anywhere. */
export type InboxFilter = { folder: InboxFolder; q?: string; campaign?: string }
export type InboxPageOfItems = { items: InboxItem[]; nextCursor: string | null }

export const inboxListKey = [INBOX, 'list'] as const

export const inboxListQuery = (filter: InboxFilter) =>
  infiniteQueryOptions({
    queryKey: [...inboxListKey, filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<InboxPageOfItems> => {
      const query = new URLSearchParams({ limit: String(INBOX_PAGE), ...filter })
      if (pageParam !== '') query.set('cursor', pageParam)
      const response = await apiRequest('GET', `${INBOX}/list?${query}`, undefined, { signal })
      // The server answers by the same contract; there a date is a date, here its text.
      const items = (await readJson(response)) as InboxItem[]
      return { items, nextCursor: response.headers.get(NEXT_CURSOR_HEADER) }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** The last part of a list's key is what it was asked for. */
export const filterOfList = (queryKey: readonly unknown[]): InboxFilter =>
  queryKey[inboxListKey.length] as InboxFilter

export const inboxSummaryQuery = queryOptions({
  queryKey: [INBOX, 'summary'],
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', `${INBOX}/summary`, undefined, { signal })
    return InboxSummary.parse(await readJson(response))
  },
})

/** How much waits to be read; undefined until known. No screen depends on it to work. */
export function useUnread(): InboxSummary['unread'] | undefined {
  return useQuery(inboxSummaryQuery).data?.unread
}

const pathOf = ({ inboxId, messageId }: MessagePlace): string =>
  `${INBOX}/message/${encodeURIComponent(inboxId)}/${encodeURIComponent(messageId)}`

export const messagesKey = [INBOX, 'message'] as const

export const messageQuery = (place: MessagePlace) =>
  queryOptions({
    queryKey: [...messagesKey, place.messageId],
    queryFn: async ({ signal }) => {
      const response = await apiRequest('GET', pathOf(place), undefined, { signal })
      return (await readJson(response)) as InboxMessage
    },
  })

/** For a frame: a document of its own, under a policy of its own. */
export const messageHtmlPath = (
  place: MessagePlace,
  { images, theme }: { images: boolean; theme: 'light' | 'dark' },
): string => `${pathOf(place)}/html?${new URLSearchParams({ images: String(images), theme })}`

/** For links: the browser saves what is behind them. `index` is the place in the message's list. */
export const attachmentPath = (place: MessagePlace, index: number): string =>
  `${pathOf(place)}/attachments/${index}`
const sourcePath = (place: MessagePlace): string => `${pathOf(place)}/source`
export const originalPath = (place: MessagePlace): string => `${sourcePath(place)}?download=1`

/** A letter with all its headers; what is longer is a picture in letters, which nobody reads. */
const SOURCE_SHOWN = 200_000

export const originalQuery = (place: MessagePlace) =>
  queryOptions({
    queryKey: [INBOX, 'source', place.messageId],
    queryFn: async ({ signal }) => {
      const response = await apiRequest('GET', sourcePath(place), undefined, { signal })
      const text = await readText(response)
      return { text: text.slice(0, SOURCE_SHOWN), isCut: text.length > SOURCE_SHOWN }
    },
    // Up to 25 MB: not to be kept for longer than it is looked at.
    gcTime: 0,
  })

/** Answers with the message as it is then, and where it is. */
export async function changeMessage(place: MessagePlace, change: ChangeMessageRequest): Promise<InboxItem> {
  const response = await apiRequest('PATCH', pathOf(place), change)
  return (await readJson(response)) as InboxItem
}

/** May be what a page does last of all. */
export async function deleteMessage(place: MessagePlace): Promise<void> {
  await apiRequest('DELETE', pathOf(place), undefined, { keepalive: true })
}

/** `key` is made once for what the person means to send: pressing twice, or trying again after a cut, sends once. */
export async function sendReply(
  { inboxId, messageId }: MessagePlace,
  text: string,
  key: string,
): Promise<ReplyResponse> {
  const request: ReplyRequest = { inboxId, messageId, text }
  const response = await apiRequest('POST', `${INBOX}/reply`, request, {
    headers: { [IDEMPOTENCY_KEY_HEADER]: key },
  })
  return ReplyResponse.parse(await readJson(response))
}

export const inboxAddressQuery = queryOptions({
  queryKey: [INBOX, 'address'],
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', `${INBOX}/address`, undefined, { signal })
    return InboxAddress.parse(await readJson(response))
  },
})

/** As it is now: it may have been changed in another tab or on another device. */
export function useInboxAddressReadAnew() {
  return useQuery({ ...inboxAddressQuery, refetchOnMount: 'always' })
}

export async function changeInboxAddress(name: string): Promise<InboxAddress> {
  const response = await apiRequest('PUT', `${INBOX}/address`, { name })
  return InboxAddress.parse(await readJson(response))
}
