import { Bot, Paperclip, PenLine, Reply } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import type { InboxItem } from '../../contract/inbox.ts'
import { classes } from '../ui/classes.ts'
import { counted } from '../ui/words.ts'
import { Ago } from './ago.tsx'
import { isBlank, useReplyText } from './reply-texts.ts'
import { senderName, shownLine, shownSubject } from './shown-text.ts'
import type { WayOptions } from './use-inbox-view.ts'

interface MessageRowProps {
  item: InboxItem
  href: string
  wayOptions: WayOptions
  isOpen: boolean
}

/** One of thousands: those out of sight are not drawn, and news of one draws no other. */
export const MessageRow = memo(function MessageRow({ item, href, wayOptions, isOpen }: MessageRowProps) {
  const { isUnread } = item
  const preview = shownLine(item.preview)
  return (
    <li className="[contain-intrinsic-size:auto_6.5rem] [content-visibility:auto]">
      <Link
        href={href}
        {...wayOptions}
        data-message={item.messageId}
        aria-current={isOpen ? 'true' : undefined}
        className={classes(
          'relative grid grid-cols-1 gap-0.5 py-3 pr-4 pl-7 text-left -outline-offset-2 transition-colors',
          isOpen ? 'bg-hover' : 'hover:bg-sunken',
        )}
      >
        {isUnread && (
          <>
            <span aria-hidden="true" className="absolute top-5 left-2.5 size-2 rounded-full bg-ink" />
            <span className="sr-only">Unread</span>
          </>
        )}
        <span className="flex items-baseline gap-3">
          <bdi
            className={classes('min-w-0 grow truncate text-left', isUnread ? 'font-semibold' : 'text-soft')}
          >
            {senderName(item.from)}
          </bdi>
          <Ago date={item.timestamp} className="shrink-0 text-muted text-xs" />
        </span>
        <bdi
          className={classes('block truncate text-left text-sm', isUnread ? 'font-semibold' : 'text-soft')}
        >
          {shownSubject(item.subject)}
        </bdi>
        {preview !== '' && (
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-left text-muted text-sm">
            {preview}
          </span>
        )}
        <Marks item={item} />
      </Link>
    </li>
  )
})

function Marks({ item: { messageId, isAutomatic, attachmentCount, campaign } }: { item: InboxItem }) {
  const isAnswering = !isBlank(useReplyText(messageId).text)
  if (!isAutomatic && attachmentCount === 0 && !campaign && !isAnswering) return null
  return (
    <span className="flex min-w-0 items-center gap-3 text-muted text-xs [&_svg]:size-3.5 [&_svg]:shrink-0">
      {campaign && (
        <span className="flex min-w-0 items-center gap-1">
          <Reply aria-hidden="true" />
          <span className="sr-only">Answers </span>
          <bdi className="truncate">{shownSubject(campaign.subject)}</bdi>
        </span>
      )}
      {isAnswering && (
        <span className="flex shrink-0 items-center gap-1 text-bounced-text">
          <PenLine aria-hidden="true" />
          Unsent reply
        </span>
      )}
      {isAutomatic && (
        <span className="flex shrink-0 items-center gap-1">
          <Bot aria-hidden="true" />
          Automatic
        </span>
      )}
      {attachmentCount > 0 && (
        <span className="flex shrink-0 items-center gap-1">
          <Paperclip aria-hidden="true" />
          <span aria-hidden="true">{attachmentCount}</span>
          <span className="sr-only">{counted(attachmentCount, 'attachment')}</span>
        </span>
      )}
    </span>
  )
}
