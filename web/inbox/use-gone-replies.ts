import { useEffect, useRef } from 'react'
import { onGone } from '../api/inbox-live.ts'
import { toast } from '../ui/toast-store.ts'
import { isBlank, loseReply, replyTo } from './reply-texts.ts'

/**
 * A reply whose message was deleted goes with it: no row leads there any more. Only whoever is writing it keeps their
 * words, for as long as they stay with them.
 */
export function useGoneReplies(openId: string | null): void {
  const open = useRef(openId)
  const goneWhileOpen = useRef<string | null>(null)
  useEffect(
    () =>
      onGone((messageId) => {
        if (messageId === open.current) goneWhileOpen.current = messageId
        else lose(messageId)
      }),
    [],
  )
  useEffect(() => {
    open.current = openId
    const gone = goneWhileOpen.current
    if (gone === null || gone === openId) return
    goneWhileOpen.current = null
    lose(gone)
  }, [openId])
}

function lose(messageId: string): void {
  const { text, isSending } = replyTo(messageId)
  loseReply(messageId)
  if (isBlank(text) || isSending) return
  toast({ title: 'Reply Discarded', description: 'The message that it answers was deleted elsewhere.' })
}
