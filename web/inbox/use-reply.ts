import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { HISTORY } from '../api/campaigns.ts'
import { type MessagePlace, sendReply } from '../api/inbox.ts'
import { readInboxAgain } from '../api/inbox-live.ts'
import { readAgain } from '../api/read-again.ts'
import { detailOf, reasonOf } from '../api/send-doubt.ts'
import { activityKey, statsKey } from '../api/stats.ts'
import { toast } from '../ui/toast-store.ts'
import { keepMessage } from './deletions.ts'
import { pathOfView, viewInSight } from './inbox-view.ts'
import {
  discardReply,
  doubtOf,
  isBlank,
  keyOfReply,
  noteFailure,
  replyTo,
  setSending,
  settleReply,
  useReplyDoubt,
  useReplyText,
  writeReply,
} from './reply-texts.ts'

/** What a reply touches, apart from the inbox: it is a mail like any other. */
const CHANGED = [[HISTORY], statsKey, activityKey]

interface Ends {
  onDone: (place: MessagePlace) => void
  open: (place: MessagePlace) => void
}

export function useReply(place: MessagePlace, { onDone, open }: Ends) {
  const client = useQueryClient()
  const { messageId } = place
  const { text, isSending } = useReplyText(messageId)
  const doubt = useReplyDoubt(messageId)

  const [isAsking, setIsAsking] = useState(false)

  // Read anew: two clicks can come before the first has been drawn.
  const maySend = () => !replyTo(messageId).isSending && !isBlank(replyTo(messageId).text)

  const send = async () => {
    if (!maySend()) return
    setSending(messageId, true)
    try {
      await sendReply(place, replyTo(messageId).text, keyOfReply(messageId))
      settleReply(messageId)
      toast({ title: 'Reply sent' })
      readInboxAgain(client)
      for (const queryKey of CHANGED) readAgain(client, { queryKey })
      onDone(place)
    } catch (error) {
      keepMessage(messageId)
      toast({
        title: 'Failed to send reply',
        description: reasonOf(error, 'Please try again'),
        detail: detailOf(noteFailure(messageId, error)),
        variant: 'destructive',
        ...wayBack(place),
      })
    }
  }

  const cancel = () => {
    const bringBack = discardReply(messageId)
    onDone(place)
    if (isBlank(text)) return
    const restore = () => {
      bringBack()
      open(place)
    }
    toast({ title: 'Reply Discarded', action: { label: 'Undo', onSelect: restore } })
  }

  return {
    text,
    isSending,
    doubt,
    isReady: !isBlank(text) && !isSending,
    write: (next: string) => writeReply(messageId, next),
    /** What was sent before it was changed is a second reply: nobody sends that by one press too many. */
    send: () => {
      if (doubtOf(messageId) !== 'sent before') void send()
      else if (maySend()) setIsAsking(true)
    },
    isAsking,
    setIsAsking,
    sendSecond: () => {
      setIsAsking(false)
      void send()
    },
    cancel,
  }
}

/** For whoever is elsewhere by then. A reply whose message was deleted meanwhile is gone with it. */
function wayBack(place: MessagePlace) {
  const view = viewInSight()
  if (view.open?.messageId === place.messageId || isBlank(replyTo(place.messageId).text)) return {}
  return { action: { label: 'Open reply', href: pathOfView({ ...view, open: place }) } }
}
