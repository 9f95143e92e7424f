import { useQuery } from '@tanstack/react-query'
import type { MissedMail as Missed, MissedReason } from '../../contract/inbox.ts'
import { inboxSummaryQuery } from '../api/inbox.ts'
import { Alert } from '../ui/alert.tsx'
import { classes } from '../ui/classes.ts'
import { Ago } from './ago.tsx'
import { whereOpen } from './panes.ts'

/** What happened, and what somebody can do about it. */
const TEXTS: Record<MissedReason, { title: string; text: string }> = {
  'daily-limit': {
    title: 'Mail was held off',
    text: 'More mail came than an inbox takes in one day. Its senders were asked to try again later, which mail servers do for some days. Whoever runs this installation can raise the limit.',
  },
  'no-room': {
    title: 'Mail was held off',
    text: 'This installation has hardly any room left for mail. Senders were asked to try again later, which mail servers do for some days. Whoever runs this installation has to make room.',
  },
  'too-large': {
    title: 'A message was too large',
    text: 'Messages of more than 25 MB are not taken. It stayed with the provider that received it.',
  },
  'not-brought': {
    title: 'Amazon SES did not bring a message',
    text: 'SES told of a message and did not hand it over: its receipt rule stores mail, in S3 for example. Give the rule an SNS action with the encoding Base64, as Settings describes; messages of up to 150 KB then come here.',
  },
  'not-fetched': {
    title: 'A message could not be fetched from Resend',
    text: 'Resend told of it, and tells of it again for about a day. This note goes when the message is here. Whoever runs this installation finds the reason in the log, and the message in the account at Resend.',
  },
}

/** What did not get in during the last days, and why: nothing is left out in silence. */
export function MissedMail({ isOpen }: { isOpen: boolean }) {
  const missed = useQuery(inboxSummaryQuery).data?.missed ?? []
  if (missed.length === 0) return null
  return (
    <div className={classes('mb-4 grid gap-2', isOpen && whereOpen.gone)}>
      {missed.map((one) => (
        <Notice key={one.reason} missed={one} />
      ))}
    </div>
  )
}

function Notice({ missed: { reason, lastAt } }: { missed: Missed }) {
  const { title, text } = TEXTS[reason]
  return (
    <Alert tone="warning" title={title} quiet>
      {text} Last time: <Ago date={lastAt} className="whitespace-nowrap" />.
    </Alert>
  )
}
