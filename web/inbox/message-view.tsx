import { Bot, Reply } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Link } from 'wouter'
import type { InboxItem, InboxMessage } from '../../contract/inbox.ts'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { textLink } from '../ui/text-link.ts'
import { Attachments } from './attachments.tsx'
import { Conversation, partedAt } from './conversation.tsx'
import { BodySkeleton, MessageBody } from './message-body.tsx'
import { MessageFacts } from './message-facts.tsx'
import { MessageToolbar } from './message-toolbar.tsx'
import { OriginalDialog } from './original-dialog.tsx'
import { shownSubject } from './shown-text.ts'

const TITLE = 'message-title'

type Act = (message: InboxItem) => void

interface MessageViewProps {
  message: InboxMessage | undefined
  item: InboxItem | undefined
  title: RefObject<HTMLHeadingElement | null>
  onReply: () => void
  onArchive: Act
  onUnread: Act
  onDelete: Act
}

export function MessageView(props: MessageViewProps) {
  const { message, item, title, onReply, onArchive, onUnread, onDelete } = props
  const [showsOriginal, setShowsOriginal] = useState(false)
  const known = message ?? item
  if (!known)
    return (
      <Card aria-label="Message" className="grid gap-5 p-5">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="h-16 w-4/5" />
        <BodySkeleton />
      </Card>
    )
  const { earlier, later } = partedAt(message?.conversation ?? [], known.timestamp)
  return (
    <Card aria-labelledby={TITLE} className="@container min-w-0">
      <header className="grid gap-2 px-5 pt-4 pb-2">
        <h2
          ref={title}
          id={TITLE}
          tabIndex={-1}
          dir="auto"
          className="wrap-anywhere text-pretty font-semibold text-lg outline-none"
        >
          {shownSubject(known.subject)}
        </h2>
        <Origin message={known} />
        <MessageToolbar
          message={known}
          // Until it is known otherwise, there is somebody.
          onReply={message?.answersTo === null ? null : onReply}
          onArchive={() => onArchive(known)}
          onUnread={() => onUnread(known)}
          onDelete={() => onDelete(known)}
          onOriginal={() => setShowsOriginal(true)}
        />
      </header>
      <Conversation
        key={`before ${known.messageId}`}
        label="Earlier in this conversation"
        entries={earlier}
        inboxId={known.inboxId}
      />
      <div className="grid grid-cols-1 gap-5 border-line border-t p-5">
        <MessageFacts message={known} />
        {message ? <MessageBody message={message} /> : <BodySkeleton />}
        {message && <Attachments message={message} />}
      </div>
      <Conversation
        key={`after ${known.messageId}`}
        label="Later in this conversation"
        entries={later}
        inboxId={known.inboxId}
      />
      <OriginalDialog place={known} open={showsOriginal} onOpenChange={setShowsOriginal} />
    </Card>
  )
}

/** What the message belongs to: the campaign that it answers, the machine that wrote it. */
function Origin({ message: { campaign, isAutomatic } }: { message: InboxItem }) {
  if (!campaign && !isAutomatic) return null
  return (
    <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-3 text-muted text-sm [&_svg]:size-4 [&_svg]:shrink-0">
      {campaign && (
        <p className="flex min-w-0 items-start gap-1.5 [&_svg]:mt-0.5">
          <Reply aria-hidden="true" />
          <span className="wrap-anywhere">
            Answers{' '}
            <Link href={`/history/${campaign.id}`} className={textLink}>
              <bdi>{shownSubject(campaign.subject)}</bdi>
            </Link>
          </span>
        </p>
      )}
      {isAutomatic && (
        <p className="flex items-center gap-1.5">
          <Bot aria-hidden="true" />
          Written by a machine
        </p>
      )}
    </div>
  )
}
