import { type Header, headerOf } from '../bounces/mail-headers.ts'
import { automaticKind } from './automatic.ts'
import { oneLine } from './clean-text.ts'
import { headerText, valuesOf } from './header-text.ts'
import { firstAddressed, type HeaderMailbox, readMailboxes, validAddress } from './mailboxes.ts'
import type { ReadMail } from './reading.ts'
import { readSentDate } from './sent-date.ts'

type MailHead = Pick<
  ReadMail,
  'messageId' | 'answeredIds' | 'from' | 'answersTo' | 'to' | 'cc' | 'subject' | 'sentAt' | 'automatic'
>

const SUBJECT_MAX = 500
const RECIPIENTS_MAX = 100
const ANSWERED_MAX = 50
/** Printable ASCII only: an id goes into the headers of our answer. */
const MESSAGE_ID = /<([!-;=?-~]{1,400})>/g
const BARE_ID = /^[!-;=?-~]{3,400}$/

export function readHead(headers: Header[], envelopeFrom: string): MailHead {
  const from = sender(headers, envelopeFrom)
  const subject = oneLine(headerText(headerOf(headers, 'subject')), SUBJECT_MAX)
  return {
    messageId: messageIds(headerOf(headers, 'message-id'))[0] ?? '',
    answeredIds: answeredIds(headers),
    from,
    answersTo: answersTo(headers, from),
    to: addresses(headers, 'to'),
    cc: addresses(headers, 'cc'),
    subject,
    sentAt: readSentDate(headerOf(headers, 'date')),
    automatic: automaticKind(headers, { subject, fromAddress: from.address, envelopeFrom }),
  }
}

/** Where From says nothing, the one who handed it in. */
function sender(headers: Header[], envelopeFrom: string): HeaderMailbox {
  const [named = []] = ['from', 'sender']
    .map((name) => readMailboxes(headerOf(headers, name)))
    .map((mailboxes) => mailboxes.filter(({ address, name }) => address !== '' || name !== ''))
    .filter((mailboxes) => mailboxes.length > 0)
  return firstAddressed(named) ?? named[0] ?? { name: '', address: validAddress(envelopeFrom) }
}

/** Several in Reply-To are a way to make one answer reach many; then only the sender is answered. */
function answersTo(headers: Header[], from: HeaderMailbox): string {
  const wanted = addresses(headers, 'reply-to')
  const only = wanted.length === 1 ? wanted[0] : undefined
  return validAddress(only ?? '') || validAddress(from.address)
}

function addresses(headers: Header[], name: string): string[] {
  const all = valuesOf(headers, name)
    .slice(0, 20)
    .flatMap(readMailboxes)
    .map(({ address }) => address)
    .filter((address) => address.includes('@'))
  return [...new Set(all)].slice(0, RECIPIENTS_MAX)
}

function messageIds(value: string): string[] {
  const bracketed = [...value.matchAll(MESSAGE_ID)].map(([id]) => id)
  if (bracketed.length > 0) return bracketed
  return BARE_ID.test(value.trim()) ? [`<${value.trim()}>`] : []
}

/** The one it answers stands last, also where References ends with another. */
function answeredIds(headers: Header[]): string[] {
  const ids = ['references', 'in-reply-to'].flatMap((name) => valuesOf(headers, name).flatMap(messageIds))
  return ids.filter((id, place) => ids.lastIndexOf(id) === place).slice(-ANSWERED_MAX)
}
