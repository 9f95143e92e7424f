import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { InboxItem } from '../../contract/inbox.ts'
import { ApiError, messageOf } from '../api/client.ts'
import { type MessagePlace, messageQuery } from '../api/inbox.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SignpostDrawing } from '../ui/drawings.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { MessageView } from './message-view.tsx'
import { PaneNote } from './pane-note.tsx'
import { ReplyCard, type Replying } from './reply-card.tsx'
import { isBlank, useReplyText } from './reply-texts.ts'
import { useMarkedRead } from './use-marked-read.ts'
import type { MessageActions } from './use-message-actions.ts'

interface MessagePaneProps {
  place: MessagePlace
  /** What the list knows of it, which is there before the rest. */
  item: InboxItem | undefined
  actions: MessageActions
  pane: RefObject<HTMLElement | null>
  onClose: () => void
  replying: Replying
}

/** Made anew for each message. */
export function MessagePane(props: MessagePaneProps) {
  const { place, item, actions, pane, onClose, replying } = props
  const query = useQuery(messageQuery(place))
  const message = query.data
  // Deleted in another tab: whoever is answering it keeps their words.
  const reply = useReplyText(place.messageId)
  const title = useRef<HTMLHeadingElement>(null)

  useMarkedRead(query, actions)

  useLayoutEffect(() => {
    pane.current?.scrollTo(0, 0)
  }, [pane])
  const isThere = Boolean(message ?? item)
  useEffect(() => {
    // Whoever opened it by its row, or came from another message, goes on reading here; nobody is taken out of a field.
    const { activeElement } = document
    const isFree = activeElement?.contains(title.current) || activeElement?.closest('[data-message]')
    if (isThere && isFree) title.current?.focus({ preventScroll: true })
  }, [isThere])

  return (
    <>
      <Button variant="ghost" className="-mt-3 -ml-3 mb-2 @2xl:hidden" onClick={onClose}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        All messages
      </Button>
      {query.error && (!message || (isGone(query.error) && isBlank(reply.text))) ? (
        <Failure
          error={query.error}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
          onClose={onClose}
        />
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <MessageView
            message={message}
            item={item}
            title={title}
            onReply={replying.wish}
            onArchive={(known) => {
              actions.archive(known)
              onClose()
            }}
            onUnread={(known) => {
              actions.markUnread(known)
              onClose()
            }}
            onDelete={(known) => {
              actions.remove(known)
              onClose()
            }}
          />
          {message && <ReplyCard key={place.messageId} message={message} replying={replying} />}
        </div>
      )}
    </>
  )
}

const isGone = (error: Error): boolean => error instanceof ApiError && error.status === 404

interface FailureProps {
  error: Error
  isRetrying: boolean
  onRetry: () => void
  onClose: () => void
}

function Failure({ error, isRetrying, onRetry, onClose }: FailureProps) {
  if (isGone(error))
    return (
      <Card aria-label="Message">
        <PaneNote
          drawing={<SignpostDrawing />}
          title="This message is not in your inbox"
          text="It may have been deleted, or the link is incomplete."
          action={<Button onClick={onClose}>Show all messages</Button>}
        />
      </Card>
    )
  return (
    <LoadFailure
      title="This message could not be loaded"
      reason={messageOf(error)}
      isRetrying={isRetrying}
      onRetry={onRetry}
    />
  )
}
