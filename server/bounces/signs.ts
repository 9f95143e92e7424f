import { findAddresses, firstAddress } from './addresses.ts'
import { hasHeader, headerOf, readable } from './mail-headers.ts'
import type { OpenedMail } from './mime-parts.ts'
import type { Notice } from './notice-text.ts'
import { isReturned } from './original-mail.ts'
import {
  AUTO_REPLY_HEADERS,
  BOUNCE_SUBJECTS,
  DAEMON_NAMES,
  OPENINGS,
  VACATION_SUBJECTS,
} from './signs-tables.ts'

/** What speaks for a mail being the report of a machine, apart from what it reports. */
export type Signs = {
  /** `multipart/report` of deliveries. */
  isReport: boolean
  /** The sender is called like a mail system. */
  isFromDaemon: boolean
  /** Sent with an empty return path, as reports must be and people's mail cannot. */
  hasNoReturn: boolean
  /** `X-Failed-Recipients` and its like, which only mail systems write. */
  failedRecipients: string[]
  hasSubject: boolean
  hasOpening: boolean
  /** The text has an end where something returned seems to begin; in people's mail that is what they answer to. */
  hasReturnedMail: boolean
  /** The mail itself is there, as servers return it: with the headers that no person quotes. */
  isMailReturned: boolean
  /** A reply, something forwarded, a mailing to many: a person's or a newsletter's mail. */
  isOrdinary: boolean
}

const FAILED_RECIPIENT_HEADERS = [
  'x-failed-recipients',
  'x-failed-recipient',
  'x-bounce-recipient',
  'x-actual-recipient',
]
const FORWARDED =
  /^(?:re|fw|fwd|aw|wg|tr|rv|enc|res|sv|vs|antw|i|r|odp|ynt|回复|转发|答复|返信|転送)(?:\[\d{1,3}\])? ?[:：]/i

export function readSigns(mail: OpenedMail, notice: Notice): Signs {
  const { headers } = mail
  const subject = readable(headerOf(headers, 'subject')).toLowerCase()
  const opening = notice.lines
    .slice(0, 60)
    .join(' ')
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .replace(/\s+/g, ' ')
  const unspaced = opening.replaceAll(' ', '')
  const isFromDaemon = senders(mail).some(isDaemon)
  return {
    isReport: mail.type === 'multipart/report' && /^(?:delivery-status|)$/.test(mail.reportType),
    isFromDaemon,
    hasNoReturn: hasNoReturn(mail),
    failedRecipients: FAILED_RECIPIENT_HEADERS.flatMap((name) =>
      findAddresses(headerOf(headers, name)).map(({ address }) => address),
    ),
    hasSubject: BOUNCE_SUBJECTS.some((words) => subject.includes(words)),
    hasOpening: OPENINGS.some((words) => opening.includes(words) || unspaced.includes(words)),
    hasReturnedMail: mail.parts.some(isReturned) || notice.rest !== '',
    isMailReturned:
      mail.parts.some(isReturned) ||
      /^[ \t>]{0,8}(?:received: (?:from|by) |return-path: ?<)/im.test(notice.rest),
    isOrdinary: !isFromDaemon && (FORWARDED.test(subject.trim()) || isMailing(mail)),
  }
}

/**
 * Is it the report of a machine? A report part says so by itself, except in what a person forwards. Without one the
 * sender must be a machine, or the mail itself must be given back, and the text must read like a notice: a phrase alone
 * proves nothing.
 */
export function isMachineReport(signs: Signs, hasReportPart: boolean): boolean {
  const text = count(signs.hasSubject, signs.hasOpening, signs.hasReturnedMail, signs.isReport)
  const isMachine = signs.isFromDaemon || signs.hasNoReturn || signs.failedRecipients.length > 0
  if (hasReportPart && signs.isReport) return true
  if (signs.isOrdinary) return false
  if (hasReportPart) return isMachine || signs.hasSubject || signs.hasOpening
  if (signs.failedRecipients.length > 0 || signs.isFromDaemon) return text >= 1
  if (signs.hasNoReturn) return text >= 2
  return signs.hasSubject && signs.hasOpening && signs.isMailReturned
}

/** RFC 3834, and what answering machines did before and beside it. */
export function isAutoReply(mail: OpenedMail, signs: Signs): boolean {
  const { headers } = mail
  const subject = readable(headerOf(headers, 'subject')).toLowerCase().trim()
  if (signs.isReport || signs.failedRecipients.length > 0) return false
  if (VACATION_SUBJECTS.some((words) => subject.startsWith(words))) return true
  if (signs.isFromDaemon && (signs.hasSubject || signs.hasOpening)) return false
  if (AUTO_REPLY_HEADERS.some((name) => hasHeader(headers, name))) return true
  if (/auto[-_]?reply|autoresponder/i.test(headerOf(headers, 'precedence'))) return true
  return /^auto-(?:replied|notified)/i.test(headerOf(headers, 'auto-submitted').trim())
}

const count = (...signs: boolean[]): number => signs.filter(Boolean).length

function senders(mail: OpenedMail): string[] {
  return ['from', 'sender']
    .map((name) => readable(headerOf(mail.headers, name)).toLowerCase())
    .filter((sender) => sender !== '')
}

function isDaemon(sender: string): boolean {
  const address = firstAddress(sender)
  const name = sender
    .replace(/<[^<>]{0,320}>/, '')
    .replace(/["']/g, '')
    .trim()
  // Without an address the words are all there is: `From: MAILER-DAEMON`.
  const local =
    (address ?? sender.replace(/[<>]/g, '')).split('@', 1)[0]?.replaceAll('"', '').replaceAll(' ', '-') ?? ''
  return DAEMON_NAMES.some(
    (daemon) =>
      local === daemon.replaceAll(' ', '-') || local.startsWith(`${daemon}-`) || isCalled(name, daemon),
  )
}

/** A whole word at the beginning: `MTA Lisbon` is a name like a machine's, `Mtatiro` is a person's. */
const isCalled = (name: string, daemon: string): boolean =>
  name.startsWith(daemon) && !/^\p{L}/u.test(name.slice(daemon.length))

const RETURN_PATHS = new Set(['return-path', 'x-envelope-from', 'x-return-path'])
const NO_RETURN = /^<? ?>?$|^<>|^<?(?:mailer-daemon|mail-daemon)(?:@|>|$)/i

/** A mailbox file writes MAILER-DAEMON for senders that it does not know, so a header that names one counts more. */
function hasNoReturn(mail: OpenedMail): boolean {
  const paths = mail.headers.filter(({ name }) => RETURN_PATHS.has(name)).map(({ value }) => value.trim())
  return paths.length > 0
    ? paths.some((path) => NO_RETURN.test(path))
    : mail.envelopeSender !== null && NO_RETURN.test(mail.envelopeSender)
}

function isMailing(mail: OpenedMail): boolean {
  return ['list-unsubscribe', 'list-id', 'list-post', 'x-mailing-list'].some((name) =>
    hasHeader(mail.headers, name),
  )
}
