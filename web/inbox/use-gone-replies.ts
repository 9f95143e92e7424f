import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../api/client.ts'
import { type MessagePlace, messageQuery } from '../api/inbox.ts'
import { onGone, onSilence } from '../api/inbox-live.ts'
import { toast } from '../ui/toast-store.ts'
import { isBlank, loseReply, replyTo } from './reply-texts.ts'

/**
 * A reply whose message was deleted goes with it: no row leads there any more. Only whoever is writing it keeps their
 * words, for as long as they stay with them.
 */
export function useGoneReplies(shown: MessagePlace | null): void {
  const client = useQueryClient()
  const open = useRef(shown)
  /** All that were open here, and may have been answered. */
  const places = useRef(new Map<string, MessagePlace>())
  const goneWhileOpen = useRef<string | null>(null)
  useEffect(() => {
    const isNoMore = (messageId: string) => {
      if (messageId === open.current?.messageId) goneWhileOpen.current = messageId
      else lose(messageId)
    }
    const stopGone = onGone(isNoMore)
    const stopSilence = onSilence(async () => {
      for (const place of places.current.values())
        if (replyTo(place.messageId).text !== '' && (await isDeleted(client, place)))
          isNoMore(place.messageId)
    })
    return () => {
      stopGone()
      stopSilence()
    }
  }, [client])
  const openId = shown?.messageId ?? null
  useEffect(() => {
    open.current = shown
    if (shown) places.current.set(shown.messageId, shown)
    const gone = goneWhileOpen.current
    if (gone === null || gone === openId) return
    goneWhileOpen.current = null
    lose(gone)
  }, [openId, shown])
}

/** Where nobody answers, it is not known to be. */
const isDeleted = (client: QueryClient, place: MessagePlace): Promise<boolean> =>
  client.fetchQuery(messageQuery(place)).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === 404,
  )

function lose(messageId: string): void {
  const { text, isSending } = replyTo(messageId)
  loseReply(messageId)
  if (isBlank(text) || isSending) return
  toast({ title: 'Reply Discarded', description: 'The message that it answers was deleted elsewhere.' })
}
