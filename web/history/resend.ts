import { useLocation } from 'wouter'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { toast } from '../ui/toast-store.ts'

export const RESEND_ENTRY = 'resend-email'

type Resent = Pick<
  HistoryEntry,
  'id' | 'recipients' | 'recipientCount' | 'subject' | 'body' | 'senderName' | 'replyTo'
>

/**
 * What the composer finds. Of a long list only the first recipients travel here, for session storage is small; the
 * composer then asks for all of them by the campaign's id.
 */
export function resendData({ id, recipients, recipientCount, subject, body, senderName, replyTo }: Resent) {
  const data = { recipients, subject, body, senderName, replyTo }
  return recipientCount > recipients.length ? { ...data, campaignId: id } : data
}

/** Hands a mail over to the composer and goes there. */
export function useResend(): (entry: Resent) => void {
  const [, navigate] = useLocation()
  return (entry) => {
    try {
      sessionStorage.setItem(RESEND_ENTRY, JSON.stringify(resendData(entry)))
    } catch {
      toast({
        title: 'Cannot Resend',
        description:
          'This browser keeps no data for this page, so the email cannot be handed to the composer.',
        variant: 'destructive',
      })
      return
    }
    navigate('/compose')
  }
}
