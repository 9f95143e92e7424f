import { type FormEvent, type KeyboardEvent, useRef } from 'react'
import { SUBJECT_MAX } from '../../contract/campaigns.ts'
import { Card, CardBody } from '../ui/card.tsx'
import { DoubtNotice } from '../ui/doubt-notice.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { SecondSendDialog } from '../ui/second-send-dialog.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { ComposeNotices } from './compose-notices.tsx'
import type { Stored } from './letter.ts'
import { MailPreview } from './mail-preview.tsx'
import { MessageField } from './message-field.tsx'
import { RecipientsField, type RecipientsHandle } from './recipients-field.tsx'
import { SendBar } from './send-bar.tsx'
import { SenderArea } from './sender-area.tsx'
import { SaveAsTemplate } from './template-dialog.tsx'
import { useComposer } from './use-composer.ts'
import { useResend } from './use-resend.ts'
import { useSend } from './use-send.ts'
import type { SheetModel } from './use-sheet.ts'
import { useTemplate } from './use-template.ts'

const SECOND = 'everybody above gets a second email'

interface ComposeFormProps {
  model: SheetModel
  /** A stored draft, or null for what begins here. */
  initial: Stored | null
}

export function ComposeForm({ model, initial }: ComposeFormProps) {
  const recipients = useRef<RecipientsHandle>(null)
  const composer = useComposer(model, initial)
  const template = useTemplate(model.sheet, composer)
  const resend = useResend(model.sheet, composer)
  const sending = useSend(composer, model, {
    onSent: () => recipients.current?.startOver(),
    onRefused: () => recipients.current?.showWrong(),
  })
  const guard = useLeaveGuard({
    isSafe: () => composer.isSafe() && !sending.isPending && !recipients.current?.isTyping(),
    save: () => {
      recipients.current?.commit()
      return composer.save()
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isInField(event)) return
    event.preventDefault()
    if (!event.repeat) sending.send()
  }
  const isLocked = sending.isPending

  return (
    // Neither the bar at the bottom nor, on a phone, a toast may lie over what gets the focus.
    <form
      noValidate
      aria-label="Email"
      onSubmit={submit}
      onKeyDown={onKeyDown}
      className="grid grid-cols-1 gap-3 [&_:is(a,button,input,textarea)]:scroll-mt-44 md:[&_:is(a,button,input,textarea)]:scroll-mt-20 [&_:is(a,button,input,textarea)]:scroll-mb-36"
    >
      <ComposeNotices
        notice={model.sheet.notice}
        template={template}
        resend={resend}
        focusRecipients={() => recipients.current?.focus()}
      />
      <Card>
        <CardBody className="grid grid-cols-1 gap-5">
          <RecipientsField composer={composer} isLocked={isLocked} handle={recipients} />
          <SenderArea composer={composer} isLocked={isLocked} />
          <Field label="Subject">
            {(control) => (
              <Input
                {...control}
                dir="auto"
                autoComplete="off"
                maxLength={SUBJECT_MAX}
                placeholder={template.isLoading ? 'Loading the template…' : undefined}
                value={composer.letter.subject}
                readOnly={isLocked || template.isLoading}
                onChange={(event) => composer.write({ subject: event.target.value })}
              />
            )}
          </Field>
          <MessageField
            composer={composer}
            isLocked={isLocked || template.isLoading}
            actions={
              <>
                <MailPreview composer={composer} />
                <SaveAsTemplate letter={composer.letter} isLocked={isLocked} />
              </>
            }
          />
        </CardBody>
      </Card>
      <DoubtNotice doubt={sending.doubt} what="this email" button="Send Email" second={SECOND} />
      <SecondSendDialog
        open={sending.isAsking}
        onOpenChange={sending.setIsAsking}
        noun="email"
        isCertain={sending.doubt === 'sent before'}
        second={SECOND}
        keepLabel="Keep Editing"
        onConfirm={sending.sendSecond}
      />
      <SendBar composer={composer} sending={sending} />
      <LeaveDialog
        guard={guard}
        title="Leave this email?"
        leaveLabel="Leave Without Saving"
        keepLabel="Keep Editing"
      >
        {isLocked
          ? 'It is still being sent, and not saved yet. If you leave now and it cannot be sent, it may be lost.'
          : 'Your last changes are not saved yet. If you leave now, they are lost.'}
      </LeaveDialog>
    </form>
  )
}

/** The dialogs of a form are drawn elsewhere, yet their keys rise to it; and on a link the same keys open another tab. */
function isInField({ target, currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return isField && currentTarget.contains(target)
}
