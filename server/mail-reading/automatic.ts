import { type Header, hasHeader, headerOf } from '../bounces/mail-headers.ts'
import { AUTO_REPLY_HEADERS, VACATION_SUBJECTS } from '../bounces/signs-tables.ts'
import type { ReadMail } from './reading.ts'

const LIST_HEADERS = [
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-post',
  'list-help',
  'list-subscribe',
  'list-owner',
  'list-archive',
]
const DAEMON = /^(?:mailer-daemon|postmaster|mail-daemon)@/i
/** Exchange asks other machines not to answer: in what is sent by a rule, and by help desks. */
const NO_ANSWERS = /\b(?:all|oof|autoreply)\b/i

type Facts = { subject: string; fromAddress: string; envelopeFrom: string }

/**
 * RFC 3834, and what answering machines do beside it. Help desks mark all their mail as generated, also what a person
 * wrote there: that is no `reply`, so that it is not put away. A vacation subject alone proves nothing, because people
 * answer to vacation notes; it counts where something else shows a machine.
 */
export function automaticKind(headers: Header[], mail: Facts): ReadMail['automatic'] {
  if (isMachineAnswer(headers, mail)) return 'reply'
  const submitted = firstWord(headers, 'auto-submitted')
  const suppressed = headerOf(headers, 'x-auto-response-suppress')
  const isSentByMachine =
    LIST_HEADERS.some((name) => hasHeader(headers, name)) ||
    /^(?:bulk|junk|list)$/.test(firstWord(headers, 'precedence')) ||
    (submitted !== '' && submitted !== 'no') ||
    NO_ANSWERS.test(suppressed)
  if (isVacation(mail.subject) && (isSentByMachine || suppressed !== '')) return 'reply'
  return isSentByMachine ? 'list' : 'no'
}

function isMachineAnswer(headers: Header[], mail: Facts): boolean {
  if (mail.envelopeFrom.replace(/[<>\s]/g, '') === '' || DAEMON.test(mail.fromAddress)) return true
  if (/^auto-(?:replied|notified)/.test(firstWord(headers, 'auto-submitted'))) return true
  if (/^auto[-_]?(?:reply|responder)/.test(firstWord(headers, 'precedence'))) return true
  if (/^multipart\/report\b/i.test(headerOf(headers, 'content-type'))) return true
  return AUTO_REPLY_HEADERS.some((name) => hasHeader(headers, name) && firstWord(headers, name) !== 'no')
}

const isVacation = (subject: string): boolean => {
  const small = subject.toLowerCase()
  return VACATION_SUBJECTS.some((words) => small.startsWith(words))
}

/** The value without parameters and comments, in small letters. */
const firstWord = (headers: Header[], name: string): string =>
  (/^[^\s;(]*/.exec(headerOf(headers, name).trim().toLowerCase()) ?? [''])[0]
