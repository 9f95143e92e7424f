import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SendEmailRequest, SendEmailResponse } from '../../contract/campaigns.ts'
import { HISTORY, sendEmail } from '../api/campaigns.ts'
import { ApiError } from '../api/client.ts'
import { draftsKey } from '../api/drafts.ts'
import { readAgain } from '../api/read-again.ts'
import { detailOf, doubtAfter, isAnotherEmail, isSentBefore, reasonOf } from '../api/send-doubt.ts'
import { activityKey, statsKey } from '../api/stats.ts'
import { templatesKey } from '../api/templates.ts'
import { toast } from '../ui/toast-store.ts'
import { counted } from '../ui/words.ts'
import { noteTry } from './doubt-memory.ts'
import type { DraftSaver } from './draft-saver.ts'
import type { Letter } from './letter.ts'
import type { RecipientsView } from './recipient-list.ts'
import type { Composer } from './use-composer.ts'
import type { SheetModel } from './use-sheet.ts'

/** What a send touches. */
const CHANGED = [[HISTORY], statsKey, activityKey, templatesKey, draftsKey]

const NOW_ANOTHER =
  'This draft was changed elsewhere. What stands here is now another draft: press Send Email to send it.'

/** Called while the screen is still there, for the focus: it was sent, or recipients were refused. */
interface Ends {
  onSent: () => void
  onRefused: () => void
}

export function useSend(composer: Composer, { sheet, finish }: SheetModel, { onSent, onRefused }: Ends) {
  const client = useQueryClient()
  const { saver, list, latest, isSending, doubt } = composer
  const [isAsking, setIsAsking] = useState(false)
  const isLatest = useRef((): boolean => true)

  const sending = useMutation({
    mutationFn: async () => {
      const { draftId: asked } = saver
      await saver.hold()
      const { draftId, base } = saver
      // Its draft was changed elsewhere: only now is it known that this would be another email.
      if (draftId !== asked) return null
      const request = requestOf(composer, { draftId, base }, sheet.templateId)
      isLatest.current = noteTry(draftId)
      // One draft is one mail: a double click, another try after a lost answer, a reload and a second tab send it once,
      // and what was changed after a try that did go out is refused. What follows a send has another id.
      return { answer: await sendEmail(request, draftId), discarded: base }
    },
    onSuccess: (sent) => {
      if (sent === null) {
        saver.release()
        if (isAnotherEmail(doubt.latest.current)) setIsAsking(true)
        else toast({ title: 'Not Sent Yet', description: NOW_ANOTHER, variant: 'destructive' })
        return
      }
      const { draftId, base } = saver
      doubt.settle(null)
      composer.clear(sent.discarded)
      composer.tell({ kind: 'sent', draftId, basedOn: base })
      saySent(sent.answer)
      for (const queryKey of CHANGED) readAgain(client, { queryKey })
      if (!composer.isMounted.current) return
      finish()
      onSent()
    },
    onError: (error) => {
      const { draftId } = saver
      saver.release()
      const left = doubtAfter(error, doubt.latest.current)
      // Left and come back to, the draft may have been sent again by another form: what is not known of that stays.
      if (isLatest.current()) doubt.settle(left)
      if (isSentBefore(error)) void composer.goOnAsAnother()
      else if (isLatest.current()) composer.tell({ kind: 'not sent', draftId, words: wordsOfRefusal(error) })
      toast({
        title: 'Failed to Send',
        description: reasonOf(error, 'There was an error sending your email'),
        detail: detailOf(left),
        variant: 'destructive',
      })
      const words = wordsOfRefusal(error)
      if (words !== null && list.refuse(words) && composer.isMounted.current) onRefused()
    },
    onSettled: composer.sendingEnded,
  })

  const mayStart = () => !isSending.current && isSendable(list.view(), latest.current)
  const start = () => {
    if (!mayStart()) return
    isSending.current = true
    sending.mutate()
  }

  return {
    isPending: sending.isPending,
    doubt: doubt.doubt,
    isReady: isSendable(composer.recipients, composer.letter),
    /** What was, or may have been, sent before it was changed goes out a second time only if somebody says so. */
    send: () => {
      if (!isAnotherEmail(doubt.latest.current)) start()
      else if (mayStart()) setIsAsking(true)
    },
    isAsking,
    setIsAsking,
    sendSecond: () => {
      setIsAsking(false)
      start()
    },
  }
}

export type Sending = ReturnType<typeof useSend>

/** They name who was refused. */
const wordsOfRefusal = (error: unknown): string | null =>
  error instanceof ApiError && error.status === 400 ? error.message : null

/** Nobody should send to the half of a list that has been read by now. */
const isSendable = ({ all, isReading }: RecipientsView, { subject }: Letter): boolean =>
  all.length > 0 && !isReading && subject.trim() !== ''

function requestOf(
  { list, latest }: Composer,
  { draftId, base }: Pick<DraftSaver, 'draftId' | 'base'>,
  templateId: string | undefined,
): SendEmailRequest {
  const { subject, body, senderName, replyTo } = latest.current
  return {
    recipients: list.texts(),
    subject,
    body,
    ...(senderName.trim() === '' ? {} : { senderName }),
    ...(replyTo.trim() === '' ? {} : { replyTo }),
    ...(templateId === undefined ? {} : { templateId }),
    draftId,
    // What was written in it on another device, and not seen here, is not sent and not lost.
    draftBasedOn: base,
  }
}

function saySent({ id, recipients, suppressed }: SendEmailResponse): void {
  const reached = recipients - suppressed.length
  if (reached === 0) {
    toast({
      title: 'Nobody Was Sent This',
      description: 'Everybody you named is on the suppression list',
      variant: 'destructive',
      action: { label: 'View details', href: `/history/${id}` },
    })
    return
  }
  toast({
    title: 'Email Sent',
    description: `Successfully sent to ${reached} recipient(s)`,
    detail:
      suppressed.length > 0
        ? `${counted(suppressed.length, 'address was', 'addresses were')} left out: they asked for no more mail, or their mailbox is gone.`
        : undefined,
    action: { label: 'View progress', href: `/history/${id}` },
  })
}
