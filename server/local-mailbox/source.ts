import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailboxMessage } from './store.ts'

/** The mail as it would go over the wire: what a relay would have been handed. */
export async function sourceOf({
  id,
  to,
  from,
  subject,
  text,
  html,
  headers,
  receivedAt,
}: MailboxMessage): Promise<string> {
  const { From, To, Subject, 'Message-ID': messageId = '', 'Reply-To': replyTo, ...others } = headers
  const message = new MailComposer({
    from,
    to: To ?? to,
    ...(replyTo === undefined ? {} : { replyTo }),
    subject,
    messageId,
    date: receivedAt,
    headers: others,
    text,
    html,
    // The same text at every look.
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  return (await message.build()).toString('utf8')
}
