import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { InboxFolder, InboxItem, InboxMessage } from '../../contract/inbox.ts'
import { amend } from './amend.ts'
import {
  filterOfList,
  type InboxPageOfItems,
  inboxListKey,
  inboxSummaryQuery,
  type MessagePlace,
  messageQuery,
  messagesKey,
} from './inbox.ts'

/*
 * What is known of messages already is changed where it stands: to read long lists again would take whoever has
 * scrolled far down away from where they are.
 */

type List = InfiniteData<InboxPageOfItems>

/** What a list holds of a message, which may be known in full. */
const itemOf = (message: InboxItem): InboxItem => {
  const { messageId, inboxId, from, to, subject, preview, timestamp } = message
  const { isUnread, folder, isAutomatic, attachmentCount, campaign } = message
  return {
    ...{ messageId, inboxId, from, to, subject, preview, timestamp },
    ...{ isUnread, folder, isAutomatic, attachmentCount, campaign },
  }
}

/** Puts a message where it belongs by now, in every list. Answers whether none of them knew it. */
export function placeMessage(client: QueryClient, message: InboxItem): boolean {
  const item = itemOf(message)
  let isKnown = false
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: inboxListKey })) {
    const known = state.data as List | undefined
    if (!known) continue
    const filter = filterOfList(queryKey)
    const isListed = known.pages.some((page) => page.items.some(isThe(item)))
    isKnown ||= isListed
    // Only the server knows all that it answers: a conversation that another campaign began is named after that one.
    const belongs = filter.campaign
      ? isListed || item.campaign?.id === filter.campaign
      : item.folder === filter.folder
    if (isListed && belongs) change(client, queryKey, (items) => items.map(swapped(item)))
    else if (isListed) change(client, queryKey, (items) => items.filter((other) => !isThe(item)(other)))
    else if (!belongs) continue
    // Only the server knows whether it matches.
    else if (filter.q || filter.campaign) void client.invalidateQueries({ queryKey, exact: true })
    else amend<List>(client, { queryKey, exact: true }, () => withArrival(known, item))
  }
  const { queryKey } = messageQuery(item)
  // Whom it was sent to never changes, and a list holds only the first of them.
  amend<InboxMessage>(client, { queryKey, exact: true }, (message) => ({
    ...message,
    ...item,
    to: message.to,
  }))
  return !isKnown
}

/** Takes a message out of every list. */
export function dropMessage(client: QueryClient, place: Pick<MessagePlace, 'messageId'>): void {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: inboxListKey }))
    change(client, queryKey, (items) => items.filter((item) => !isThe(place)(item)))
  const queryKey = [...messagesKey, place.messageId]
  client.removeQueries({ queryKey, type: 'inactive' })
  // Where it is on the screen, the server says that it is gone.
  void client.invalidateQueries({ queryKey })
}

/** The number beside a folder's name, until the server has counted again. */
export function countUnread(client: QueryClient, folder: InboxFolder, difference: number): void {
  if (folder === 'archived') return
  client.setQueryData(
    inboxSummaryQuery.queryKey,
    (known) =>
      known && {
        ...known,
        unread: { ...known.unread, [folder]: Math.max(0, known.unread[folder] + difference) },
      },
  )
}

const isThe =
  ({ messageId }: Pick<MessagePlace, 'messageId'>) =>
  (item: InboxItem): boolean =>
    item.messageId === messageId

const swapped =
  (item: InboxItem) =>
  (other: InboxItem): InboxItem =>
    isThe(item)(other) ? item : other

function change(client: QueryClient, queryKey: QueryKey, edit: (items: InboxItem[]) => InboxItem[]): void {
  amend<List>(client, { queryKey, exact: true }, (known) => ({
    ...known,
    pages: known.pages.map((page) => ({ ...page, items: edit(page.items) })),
  }))
}

/** Newest first. What is older than all that has been loaded comes with a later page. */
export function withArrival(list: List, item: InboxItem): List {
  const isOlder = (other: InboxItem) => other.timestamp <= item.timestamp
  const lastPage = list.pages.length - 1
  const found = list.pages.findIndex(({ items }) => items.some(isOlder))
  const target = found >= 0 ? found : list.pages[lastPage]?.nextCursor === null ? lastPage : -1
  return {
    ...list,
    pages: list.pages.map((page, index) => {
      if (index !== target) return page
      const at = page.items.findIndex(isOlder)
      const items = at < 0 ? [...page.items, item] : page.items.toSpliced(at, 0, item)
      return { ...page, items }
    }),
  }
}
