import { useQuery } from '@tanstack/react-query'
import { inboxSummaryQuery } from '../api/inbox.ts'
import { Alert } from '../ui/alert.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { dateWords } from '../ui/words.ts'
import type { ReportingProvider } from './settings-form.ts'

/** Where the address goes; the key is the one that the field below it takes. */
const STEPS: Record<ReportingProvider, string> = {
  sendgrid:
    'For mail of your own domain in the Inbox, make a security policy with a signature for Inbound Parse in SendGrid. Enter its public key in the field below, together with the key of the event webhook and a comma between them, and save: mail that comes before is lost. Then paste this URL under Settings → Inbound Parse, tick “POST the raw, full MIME message” and attach that policy.',
  mailgun:
    'For mail of your own domain in the Inbox, make a route in Mailgun, under Receiving, that forwards to this address. It is signed with the same key.',
  ses: 'For mail of your own domain in the Inbox, give its receipt rule in SES an SNS action with the encoding Base64; Amazon brings mails of up to 150 KB this way. If that is another topic, enter the ARNs of both in the field below, with a comma between them, and save. Then subscribe this URL to the topic over HTTPS.',
}

/** How mail that the provider receives comes to the inbox. */
export function ReceivedMail({ provider, url }: { provider: ReportingProvider; url: string | null }) {
  if (url === null) return null
  return (
    <>
      <CopyField label="Inbound URL" value={url} hint={STEPS[provider]} />
      {provider === 'ses' && <NotBrought />}
    </>
  )
}

/** Mail that Amazon has told of and kept: nobody else would ever know. */
function NotBrought() {
  const missed = useQuery(inboxSummaryQuery).data?.missed.find(({ reason }) => reason === 'not-brought')
  if (!missed) return null
  return (
    <Alert tone="warning" title="Amazon SES did not bring a message" quiet>
      On {dateWords(missed.lastAt)} SES told of a message and did not hand it over: its receipt rule stores
      mail, in S3 for example, from where Postrider does not fetch it. Give the rule an SNS action as
      described above. The message is where the rule has stored it.
    </Alert>
  )
}
