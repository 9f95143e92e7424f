import type { QueryClient } from '@tanstack/react-query'
import type { InboxItem } from '../../contract/inbox.ts'
import { messageOf, unlessGone } from '../api/client.ts'
import { defer } from '../api/deferred.ts'
import { deleteMessage, inboxSummaryQuery } from '../api/inbox.ts'
import { countUnread, dropMessage } from '../api/inbox-cache.ts'
import { onceReachable } from '../api/reachable.ts'
import { readAgain } from '../api/read-again.ts'
import { createHiddenIds } from '../ui/hidden-ids.ts'
import { toast } from '../ui/toast-store.ts'
import { counted } from '../ui/words.ts'
import { bringReplyBack, isBlank, loseReply, replyTo, setReplyAside } from './reply-texts.ts'
import { senderName, shownSubject } from './shown-text.ts'

/*
 * A deleted message disappears at once, and is deleted when the toast with "Undo" is gone, or before that when the page
 * is left or reloaded or the session ends (see `defer`). Nobody could write a mail back that is gone. What was being
 * written in answer to it goes the same way, and comes back with it.
 */

const { hide, show, useHidden } = createHiddenIds()
export const useHiddenMessages = useHidden
/** How to take back what can still be taken back, by message. */
const waiting = new Map<string, () => boolean>()

export function deleteWithUndo(client: QueryClient, item: InboxItem): void {
  const unread = item.isUnread ? 1 : 0
  hide(item.messageId)
  countUnread(client, item.folder, -unread)
  const description = wordsOf(item)
  setReplyAside(item.messageId)
  const bringBack = () => {
    show(item.messageId)
    bringReplyBack(item.messageId)
    countUnread(client, item.folder, unread)
    // It may have been counted meanwhile by the server, to which it was never gone.
    readAgain(client, inboxSummaryQuery)
  }
  onceReachable(
    () => announce(client, item, description, bringBack),
    (error) => {
      sayNotDeleted(error)
      bringBack()
    },
  )
}

function announce(client: QueryClient, item: InboxItem, description: string, bringBack: () => void): void {
  const deletion = defer(() => remove(client, item))
  const takeBack = (): boolean => {
    waiting.delete(item.messageId)
    if (!deletion.cancel()) return false
    bringBack()
    return true
  }
  waiting.set(item.messageId, takeBack)
  toast({
    title: 'Message Deleted',
    description,
    action: {
      label: 'Undo',
      onSelect: () => {
        if (!takeBack()) sayTooLate()
      },
    },
    onGone: deletion.run,
  })
}

/** A reply to it could not be sent: who is to try again needs it, as long as it can still be had. */
export const keepMessage = (messageId: string): void => void waiting.get(messageId)?.()

/** Names what goes. */
function wordsOf({ messageId, from, subject, attachmentCount }: InboxItem): string {
  const { text, isSending } = replyTo(messageId)
  const parts = [
    ...(attachmentCount > 0 ? [counted(attachmentCount, 'attachment')] : []),
    ...(isBlank(text) || isSending ? [] : ['your unsent reply']),
  ]
  const rest = parts.length > 0 ? `, with ${parts.join(' and ')}` : ''
  return `“${shownSubject(subject)}” from ${senderName(from)}${rest}`
}

async function remove(client: QueryClient, item: InboxItem): Promise<void> {
  waiting.delete(item.messageId)
  try {
    await deleteMessage(item).catch(unlessGone)
    dropMessage(client, item)
    loseReply(item.messageId)
  } catch (error) {
    bringReplyBack(item.messageId)
    sayNotDeleted(error)
  }
  readAgain(client, inboxSummaryQuery)
  show(item.messageId)
}

function sayNotDeleted(error: unknown): void {
  toast({
    title: 'Failed to Delete',
    description: messageOf(error, 'Please try again'),
    variant: 'destructive',
  })
}

function sayTooLate(): void {
  toast({ title: 'Too Late to Undo', description: 'The message is already gone.', variant: 'destructive' })
}
