import { parseRecipient } from '../platform/mail-address.ts'
import { replySubject, threadingOf, withQuote } from '../platform/reply-text.ts'
import { encodeBody } from '../providers/mime/body-encodings.ts'
import {
  envelopeAddress,
  headerLine,
  mailboxLine,
  messageIdLine,
  subjectLine,
} from '../providers/mime/header-lines.ts'
import { domainOf, type Mailbox } from '../providers/provider.ts'
import type { Begun } from './reply-form.ts'
import type { MailboxMessage } from './store.ts'

export type ReplyMail = { raw: Buffer; envelope: { from: string; to: string } }

const MAIL_MAX = 100_000

/** Where the recipient's mail program would send an answer. */
export const replyAddress = ({ headers, from }: MailboxMessage): string =>
  mailboxOf(headers['Reply-To'] ?? from).address

/** What a mail program makes of an answer that the recipient has written: RFC 5322, in plain text. */
export function replyMail(message: MailboxMessage, text: string, { replyId, begunAt }: Begun): ReplyMail {
  const author = mailboxOf(message.headers['To'] ?? message.to)
  const to = replyAddress(message)
  const from = envelopeAddress(author.address)
  const { 'Message-ID': answered = '', References = '' } = message.headers
  const { inReplyTo, references } = threadingOf(answered, References.split(/\s+/))
  const quoted = { author: mailboxOf(message.from), writtenAt: message.receivedAt, text: message.text }
  const { encoding, content } = encodeBody(withQuote(text, quoted, MAIL_MAX).trimEnd())
  const lines = [
    mailboxLine('From', author),
    mailboxLine('To', { name: '', address: to }),
    subjectLine(replySubject(message.subject)),
    messageIdLine(`<${replyId}@${domainOf(from)}>`),
    headerLine('Date', begunAt.toUTCString().replace('GMT', '+0000')),
    inReplyTo === null ? '' : headerLine('In-Reply-To', inReplyTo),
    references === null ? '' : headerLine('References', references),
    headerLine('MIME-Version', '1.0'),
    headerLine('Content-Type', 'text/plain; charset=utf-8'),
    headerLine('Content-Transfer-Encoding', encoding),
  ]
  return { raw: Buffer.from(`${lines.join('')}\r\n${content}\r\n`), envelope: { from, to } }
}

/** As it was written down when the mail was taken. */
const mailboxOf = (text: string): Mailbox => parseRecipient(text) ?? { name: '', address: text }
