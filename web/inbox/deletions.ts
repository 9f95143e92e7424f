import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { InboxItem } from '../../contract/inbox.ts'
import { ApiError, messageOf } from '../api/client.ts'
import { defer } from '../api/deferred.ts'
import { deleteMessage, inboxSummaryQuery } from '../api/inbox.ts'
import { countUnread, dropMessage } from '../api/inbox-cache.ts'
import { toast } from '../ui/toast-store.ts'
import { counted } from '../ui/words.ts'
import { senderName, shownSubject } from './shown-text.ts'

/*
 * A deleted message disappears at once, and is deleted when the toast with "Undo" is gone, or before that when the page
 * is left or reloaded or the session ends (see `defer`). Nobody could write a mail back that is gone.
 */

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function publish(next: ReadonlySet<string>): void {
  hidden = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is deleted as far as people are concerned. */
export function useHiddenMessages(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden)
}

function setHidden({ messageId }: InboxItem, isHidden: boolean): void {
  const others = [...hidden].filter((other) => other !== messageId)
  publish(new Set(isHidden ? [...others, messageId] : others))
}

export function deleteWithUndo(client: QueryClient, item: InboxItem): void {
  const unread = item.isUnread ? 1 : 0
  setHidden(item, true)
  countUnread(client, item.folder, -unread)
  const deletion = defer(() => remove(client, item))
  toast({
    title: 'Message Deleted',
    description: wordsOf(item),
    action: {
      label: 'Undo',
      onSelect: () => {
        if (!deletion.cancel()) return sayTooLate()
        setHidden(item, false)
        countUnread(client, item.folder, unread)
      },
    },
    onGone: deletion.run,
  })
}

/** Names what goes. */
function wordsOf({ from, subject, attachmentCount }: InboxItem): string {
  const files = attachmentCount > 0 ? `, with ${counted(attachmentCount, 'attachment')}` : ''
  return `“${shownSubject(subject)}” from ${senderName(from)}${files}`
}

async function remove(client: QueryClient, item: InboxItem): Promise<void> {
  try {
    await deleteMessage(item).catch(unlessGone)
    dropMessage(client, item)
  } catch (error) {
    toast({
      title: 'Failed to Delete',
      description: messageOf(error, 'Please try again'),
      variant: 'destructive',
    })
  }
  void client.invalidateQueries(inboxSummaryQuery)
  setHidden(item, false)
}

/** Deleted in another tab meanwhile: what was wanted is so. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

function sayTooLate(): void {
  toast({ title: 'Too Late to Undo', description: 'The message is already gone.', variant: 'destructive' })
}
