import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChangeMessageRequest, InboxItem } from '../../contract/inbox.ts'
import { messageOf } from '../api/client.ts'
import { changeMessage, inboxSummaryQuery } from '../api/inbox.ts'
import { countUnread, placeMessage } from '../api/inbox-cache.ts'
import { noteAnswer, readInboxAgain, readListsAgain } from '../api/inbox-live.ts'
import { readAgain } from '../api/read-again.ts'
import { toast } from '../ui/toast-store.ts'
import { deleteWithUndo } from './deletions.ts'
import { senderName, shownSubject } from './shown-text.ts'

/** What can be done with a message. It shows at once; should the server refuse, it is as it was. */
export function useMessageActions() {
  const client = useQueryClient()
  return useMemo(
    () => ({
      markRead: (item: InboxItem) => void setUnread(client, item, false),
      markUnread: (item: InboxItem) => void setUnread(client, item, true),
      /** Into the archive, or from there back to where it was. */
      archive: (item: InboxItem) => void (item.folder === 'archived' ? bringBack : putAway)(client, item),
      remove: (item: InboxItem) => deleteWithUndo(client, item),
    }),
    [client],
  )
}

export type MessageActions = ReturnType<typeof useMessageActions>

async function setUnread(client: QueryClient, item: InboxItem, isUnread: boolean): Promise<void> {
  const isKnown = item.isUnread === isUnread
  // Whoever asks for it sees another state somewhere on the screen; that it is read nobody asks for.
  if (isKnown && !isUnread) return
  placeMessage(client, { ...item, isUnread })
  if (!isKnown) countUnread(client, item.folder, isUnread ? 1 : -1)
  await change(client, item, { isUnread }, isUnread ? 'Failed to Mark as Unread' : null)
}

async function putAway(client: QueryClient, item: InboxItem): Promise<void> {
  placeMessage(client, { ...item, folder: 'archived' })
  countUnread(client, item.folder, item.isUnread ? -1 : 0)
  if (!(await change(client, item, { isArchived: true }, 'Failed to Archive'))) return
  toast({
    title: 'Message Archived',
    description: wordsOf(item),
    action: {
      label: 'Undo',
      onSelect: () => {
        placeMessage(client, item)
        void change(client, item, { isArchived: false }, 'Failed to Move')
      },
    },
  })
}

async function bringBack(client: QueryClient, item: InboxItem): Promise<void> {
  // Only the server knows where it was.
  if (!(await change(client, item, { isArchived: false }, 'Failed to Move'))) return
  toast({
    title: 'Message Moved Back',
    description: wordsOf(item),
    action: {
      label: 'Undo',
      onSelect: () => {
        placeMessage(client, item)
        void change(client, item, { isArchived: true }, 'Failed to Archive')
      },
    },
  })
}

const wordsOf = ({ from, subject }: InboxItem): string =>
  `“${shownSubject(subject)}” from ${senderName(from)}`

/** Without a `failure` to tell, nobody asked for it, and the list alone shows that it is as it was. */
async function change(
  client: QueryClient,
  item: InboxItem,
  request: ChangeMessageRequest,
  failure: string | null,
): Promise<boolean> {
  try {
    await noteAnswer(client, item.messageId, () => changeMessage(item, request))
    readAgain(client, inboxSummaryQuery)
    return true
  } catch (error) {
    if (failure === null) {
      readListsAgain(client)
      return false
    }
    readInboxAgain(client)
    toast({ title: failure, description: messageOf(error, 'Please try again'), variant: 'destructive' })
    return false
  }
}
