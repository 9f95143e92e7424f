import type { QueryClient } from '@tanstack/react-query'
import type { InboxItem, InboxMessage, MessageGone } from '../../contract/inbox.ts'
import { atMostEvery } from './at-most-every.ts'
import { inboxListKey, inboxSummaryQuery, messagesKey } from './inbox.ts'
import { dropMessage, placeMessage } from './inbox-cache.ts'
import { readAgain } from './read-again.ts'

type Heard = (item: InboxItem) => void
const listeners = new Set<Heard>()

/** Tells of every message that has just come in; answers how to stop. */
export function onArrival(heard: Heard): () => void {
  listeners.add(heard)
  return () => listeners.delete(heard)
}

type HeardGone = (messageId: string) => void
const goneListeners = new Set<HeardGone>()

/** Tells of every message that was deleted, here or elsewhere; answers how to stop. */
export function onGone(heard: HeardGone): () => void {
  goneListeners.add(heard)
  return () => goneListeners.delete(heard)
}

type HeardSilence = () => void
const silenceListeners = new Set<HeardSilence>()

/** Tells when nobody told us anything for a while, and messages may have been deleted; answers how to stop. */
export function onSilence(heard: HeardSilence): () => void {
  silenceListeners.add(heard)
  return () => silenceListeners.delete(heard)
}

/** A change of a message that is on its way to the server. */
type Change = { messageId: string; isOvertaken: boolean }
const underWay = new Set<Change>()

/**
 * Asks for a change of a message, and notes what it was then. Whatever is asked for or heard of the message meanwhile is
 * newer than that answer, however late this comes; and what a change made of it is heard of as well.
 */
export async function noteAnswer(
  client: QueryClient,
  messageId: string,
  ask: () => Promise<InboxItem>,
): Promise<void> {
  overtake(messageId)
  const change: Change = { messageId, isOvertaken: false }
  underWay.add(change)
  try {
    const answer = await ask()
    if (!change.isOvertaken) noteState(client, answer)
  } finally {
    underWay.delete(change)
  }
}

function overtake(messageId: string): void {
  for (const change of underWay) if (change.messageId === messageId) change.isOvertaken = true
}

/** Older than this it is no news: something has become of it in another tab. */
const NEWS_MS = 5 * 60_000

/** What the server says of a message now. Answers whether no list knew it. */
function noteState(client: QueryClient, item: InboxItem): boolean {
  const isUnknown = placeMessage(client, item)
  readListsInFlight(client)
  return isUnknown
}

/** A page that is just being read may be older than this news. */
function readListsInFlight(client: QueryClient): void {
  if (client.isFetching({ queryKey: inboxListKey }) > 0) readAgain(client, { queryKey: inboxListKey })
}

/** Mail has come in, or something has become of it elsewhere. */
export function noteMessage(client: QueryClient, item: InboxItem): void {
  overtake(item.messageId)
  const isUnknown = noteState(client, item)
  const isNews = Date.now() - Date.parse(item.timestamp) < NEWS_MS
  if (isUnknown && isNews && item.isUnread) for (const heard of listeners) heard(item)
}

/** It was deleted, here or elsewhere. */
export function noteGone(client: QueryClient, gone: MessageGone): void {
  overtake(gone.messageId)
  dropMessage(client, gone)
  readListsInFlight(client)
  for (const heard of goneListeners) heard(gone.messageId)
}

/** What depends on more than the one message: how many are unread, and the conversation on the screen. */
export function readAround(client: QueryClient): void {
  readAgain(client, inboxSummaryQuery)
  readAgain(client, { queryKey: messagesKey })
}

/** What becomes of our own mails that stand in a conversation. A campaign that is being sent moves all the time. */
export function followSentMail(client: QueryClient, milliseconds: number) {
  const moved = new Set<string>()
  const readThose = atMostEvery(milliseconds, () => {
    readAgain(client, {
      queryKey: messagesKey,
      predicate: ({ state }) => holdsOneOf(moved, state.data as InboxMessage | undefined),
    })
    moved.clear()
  })
  return {
    note: (campaignId: string): void => {
      moved.add(campaignId)
      readThose()
    },
    cancel: readThose.cancel,
  }
}

const holdsOneOf = (campaignIds: ReadonlySet<string>, message: InboxMessage | undefined): boolean =>
  message?.conversation.some((entry) => entry.kind === 'sent' && campaignIds.has(entry.campaignId)) ?? false

/** The lists and the numbers beside their names. */
export function readListsAgain(client: QueryClient): void {
  readAgain(client, { queryKey: inboxListKey })
  readAgain(client, inboxSummaryQuery)
}

/** And the conversation on the screen. */
export function readInboxAgain(client: QueryClient): void {
  readListsAgain(client)
  readAgain(client, { queryKey: messagesKey })
}

/** While nobody told us anything may have come in, or gone. */
export function readAfterSilence(client: QueryClient): void {
  readInboxAgain(client)
  for (const heard of silenceListeners) heard()
}
