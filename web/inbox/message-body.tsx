import type { InboxMessage } from '../../contract/inbox.ts'
import { Alert } from '../ui/alert.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { HtmlFrame } from './html-frame.tsx'
import { PlainText } from './plain-text.tsx'
import { isBlank } from './reply-texts.ts'

/** The label that all texts of mails have: their links are as their senders wrote them. */
const LABEL = 'Text of the message'

/** HTML if there is any, else the text, else what the list shows of it, else that there is nothing. */
export function MessageBody({ message }: { message: InboxMessage }) {
  const words = wordsOf(message)
  if (message.isReadable) return words ?? <p className="text-muted">No content</p>
  return (
    <div className="grid grid-cols-1 gap-4">
      <Alert tone="warning" quiet title="This message could not be read as a whole">
        {message.html || message.attachments.length > 0
          ? 'The end of its text, or some of its files, are not here. Nothing is lost: Show original has all of it, its files included.'
          : words
            ? 'Below is what stands in it plainly. Nothing is lost: Show original has all of it, its files included.'
            : 'No part of it can be shown safely. Nothing is lost: Show original has all of it.'}
      </Alert>
      {words}
    </div>
  )
}

function wordsOf(message: InboxMessage) {
  const { messageId, html, text, preview } = message
  if (html && !isBlank(html)) return <HtmlFrame key={messageId} message={message} html={html} />
  const found = [text, preview].find((candidate) => candidate && !isBlank(candidate))
  return found ? <PlainText key={messageId} text={found} label={LABEL} /> : null
}

export function BodySkeleton() {
  return (
    <div className="grid gap-2">
      <p role="status" className="sr-only">
        Loading the message
      </p>
      <Skeleton className="h-4.5 w-full max-w-160" />
      <Skeleton className="h-4.5 w-11/12 max-w-150" />
      <Skeleton className="h-4.5 w-4/5 max-w-130" />
      <Skeleton className="mt-3 h-4.5 w-full max-w-160" />
      <Skeleton className="h-4.5 w-2/5 max-w-60" />
    </div>
  )
}
