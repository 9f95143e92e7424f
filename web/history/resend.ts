import { useLocation } from 'wouter'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { toast } from '../ui/toast-store.ts'

const RESEND_ENTRY = 'resend-email'

type Resent = Pick<HistoryEntry, 'id' | 'recipients' | 'subject' | 'body' | 'senderName' | 'replyTo'>

/**
 * What the composer finds. The history knows addresses without their names, and of a long list only the first; the
 * composer asks for everybody as they were typed by the campaign's id.
 */
const resendData = ({ id, recipients, subject, body, senderName, replyTo }: Resent) => ({
  ...{ recipients, subject, body, senderName, replyTo },
  campaignId: id,
})

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
