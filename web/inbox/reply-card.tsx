import { type KeyboardEvent, useEffect, useRef } from 'react'
import { type InboxMessage, REPLY_MAX } from '../../contract/inbox.ts'
import type { MessagePlace } from '../api/inbox.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardFooter, CardHeader } from '../ui/card.tsx'
import { DoubtNotice } from '../ui/doubt-notice.tsx'
import { Field } from '../ui/field.tsx'
import { onFirstClick } from '../ui/press.ts'
import { SecondSendDialog } from '../ui/second-send-dialog.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { shownLine } from './shown-text.ts'
import { useReply } from './use-reply.ts'

const TITLE = 'reply-title'
const SECOND = 'it is a second reply'

export interface Replying {
  /** Brings the cursor here. */
  wish: () => void
  /** It is to come, and `onWritten` says that it has. */
  isWished: boolean
  onWritten: () => void
  /** Sent or given up: shows the list again, should this message still be the one on the screen. */
  onDone: (place: MessagePlace) => void
  open: (place: MessagePlace) => void
}

interface ReplyCardProps {
  message: InboxMessage
  replying: Replying
}

export function ReplyCard(props: ReplyCardProps) {
  return (
    <Card aria-labelledby={TITLE} className="shrink-0">
      <CardHeader id={TITLE} title="Reply" />
      {props.message.answersTo === null ? (
        <CardBody>
          <p className="text-muted">
            Nobody can be answered: this message names no address that an answer could go to.
          </p>
        </CardBody>
      ) : (
        <ReplyForm {...props} answersTo={props.message.answersTo} />
      )}
    </Card>
  )
}

function ReplyForm({ message, answersTo, replying }: ReplyCardProps & { answersTo: string }) {
  const { isWished, onWritten } = replying
  const reply = useReply(message, replying)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!isWished) return
    area.current?.focus()
    onWritten()
  }, [isWished, onWritten])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) reply.send()
  }
  const isElsewhere = answersTo.toLowerCase() !== message.from.email.toLowerCase()
  return (
    <>
      <CardBody className="grid grid-cols-1 gap-4 pt-3">
        {message.isAutomatic && (
          <Alert quiet>A machine wrote this message. An answer may never be read by anybody.</Alert>
        )}
        <p className="wrap-anywhere text-sm">
          <span className="text-muted">To: </span>
          <bdi className="font-medium">{shownLine(answersTo)}</bdi>
          {isElsewhere && (
            <span className="text-muted"> · as the message asks; it came from another address</span>
          )}
        </p>
        <Field label="Your reply">
          {(control) => (
            <Textarea
              {...control}
              ref={area}
              rows={6}
              dir="auto"
              maxLength={REPLY_MAX}
              value={reply.text}
              readOnly={reply.isSending}
              onChange={(event) => reply.write(event.target.value)}
              onKeyDown={onKeyDown}
            />
          )}
        </Field>
        <DoubtNotice doubt={reply.doubt} what="your reply" button="Send Reply" second={SECOND} />
        <SecondSendDialog
          open={reply.isAsking}
          onOpenChange={reply.setIsAsking}
          noun="reply"
          isCertain
          second={SECOND}
          keepLabel="Keep Writing"
          onConfirm={reply.sendSecond}
          returnFocusTo={() => area.current}
        />
      </CardBody>
      <CardFooter>
        <Button
          variant="primary"
          disabled={!reply.isReady}
          pending={reply.isSending}
          pendingText="Sending..."
          onClick={onFirstClick(reply.send)}
        >
          Send Reply
        </Button>
        <Button disabled={reply.isSending} onClick={reply.cancel}>
          Cancel
        </Button>
      </CardFooter>
    </>
  )
}
