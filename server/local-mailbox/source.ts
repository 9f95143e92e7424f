import { parseRecipient } from '../platform/mail-address.ts'
import { compileLetter } from '../providers/mime/compile.ts'
import type { Mailbox } from '../providers/provider.ts'
import type { MailboxMessage } from './store.ts'

/** The mail as it would go over the wire: what a relay would have been handed. */
export function sourceOf({ to, from, subject, text, html, headers, receivedAt }: MailboxMessage): string {
  const { From, To, Subject, 'Message-ID': messageId = '', 'Reply-To': replyTo, ...others } = headers
  const letter = { from: mailboxOf(from), replyTo: replyTo ?? null, subject, text, html, headers: others }
  const copy = { to: mailboxOf(To ?? to), messageId, idempotencyKey: '', headers: {} }
  const message = compileLetter(letter).fill(copy, receivedAt).toString('utf8')
  // The doubled dots belong to the conversation with a server, not to the mail.
  return message.replace(/^\.\./gm, '.')
}

/** As it was written down when the mail was taken. */
const mailboxOf = (text: string): Mailbox => parseRecipient(text) ?? { name: '', address: text }
