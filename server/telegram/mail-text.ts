import type { Mailbox } from '../inbox/mailbox.ts'
import {
  isAttribution,
  isForwardMark,
  isForwardSubject,
  isHeaderBlock,
  isOriginalMark,
} from '../mail-reading/quote-marks.ts'
import { timeOf } from './campaign-card.ts'
import {
  type Button,
  joined,
  lengthOf,
  type Markup,
  MESSAGE_MAX,
  type Message,
  markup,
  oneLine,
  shortened,
} from './markup.ts'
import type { MailPlace } from './store/mails.ts'

type Mail = Awaited<ReturnType<Mailbox['open']>>
export type ListedMail = Awaited<ReturnType<Mailbox['list']>>['items'][number]

const NAME_MAX = 80
const ADDRESS_MAX = 254
const SUBJECT_MAX = 200
const FILE_MAX = 60
const FILES_MAX = 10
/** What a line about shortening may take. */
const ROOM_FOR_NOTE = 150

/** Who wrote, by both names: the one that they gave themselves, and the address, which says more. */
export function senderOf({ from }: Pick<ListedMail, 'from'>): Markup {
  const name = oneLine(from.name, NAME_MAX)
  const address = oneLine(from.email, ADDRESS_MAX) || 'no address'
  return name === '' || name === address ? markup`<b>${address}</b>` : markup`<b>${name}</b> (${address})`
}

export const subjectOf = ({ subject }: Pick<ListedMail, 'subject'>): string =>
  oneLine(subject, SUBJECT_MAX) || '(no subject)'

/** A press that concerns one mail. */
export const mailPress = (mailId: string, action: MailAction): string => `mail/${mailId}/${action}`
type MailAction = 'open' | 'unread' | 'read' | 'archive' | 'inbox' | 'next' | 'reply'

/** A mail as it is read in the chat. Whatever a stranger wrote stands in a quotation, apart from what the bot says. */
export function mailMessage(mail: Mail, timeZone: string): Message {
  const { messageId, isUnread, folder } = mail
  const head = joined([...headOf(mail, timeZone), ...filesOf(mail)])
  const foot = footOf(mail)
  const words = bodyOf(mail, MESSAGE_MAX - lengthOf(head) - lengthOf(foot) - 10)
  const press = (text: string, action: MailAction): Button => ({ text, press: mailPress(messageId, action) })
  return {
    text: joined([head, words, foot], '\n\n'),
    buttons: [
      [
        ...(mail.answersTo === null ? [] : [press('Reply', 'reply')]),
        isUnread ? press('Mark read', 'read') : press('Mark unread', 'unread'),
        folder === 'archived' ? press('Move to inbox', 'inbox') : press('Archive', 'archive'),
      ],
      [press('Next', 'next'), { text: 'Back', press: 'inbox' }],
    ],
  }
}

function headOf(mail: Mail, timeZone: string): Markup[] {
  const where = [
    mail.isUnread ? '● Unread' : '',
    mail.folder === 'archived' ? 'Archived' : '',
    mail.isAutomatic ? '🤖 Automatic mail' : '',
  ].filter((part) => part !== '')
  return [
    senderOf(mail),
    markup`<b>${subjectOf(mail)}</b>`,
    markup`${timeOf(mail.timestamp, timeZone)} (${timeZone})`,
    ...(where.length === 0 ? [] : [markup`${where.join(' · ')}`]),
    ...(mail.campaign
      ? [markup`Answers your campaign <i>${oneLine(mail.campaign.subject, SUBJECT_MAX)}</i>`]
      : []),
  ]
}

function filesOf({ attachments }: Mail): Markup[] {
  if (attachments.length === 0) return []
  const named = attachments
    .slice(0, FILES_MAX)
    .map(({ name, size }) => `📎 ${oneLine(name, FILE_MAX)} (${sizeOf(size)})`)
  const more = attachments.length - named.length
  return [...named, ...(more > 0 ? [`📎 and ${more} more`] : [])].map((line) => markup`${line}`)
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** What becomes of an answer. It may go to somebody else than who is shown as the sender. */
export function footOf({ answersTo, from }: Pick<Mail, 'answersTo' | 'from'>): Markup {
  if (answersTo === null)
    return markup`There is nobody to answer: this mail names no address that a reply could go to.`
  const address = oneLine(answersTo, ADDRESS_MAX)
  return answersTo.toLowerCase() === from.email.toLowerCase()
    ? markup`To answer, reply to this message.`
    : markup`To answer, reply to this message. It goes to <b>${address}</b>, as the sender wishes.`
}

/** Of its HTML, or of its files, nothing or not all is here. */
const IN_PART = markup`<i>Not all of this mail could be read; the whole of it, its files included, is in the Inbox of Postrider.</i>`

/** Nobody takes what is shown for all that there is. */
const QUOTES = markup`<i>What it quotes is in the Inbox of Postrider.</i>`

function bodyOf({ subject, text, isReadable, attachments }: Mail, room: number): Markup {
  const all = (text ?? '').trim()
  const { own, hasQuotes } = ownWords(all, subject)
  if (own === '' && !isReadable && attachments.length === 0)
    return markup`<i>This mail could not be taken apart; its source is in the Inbox of Postrider.</i>`
  const notes = [...(hasQuotes ? [QUOTES] : []), ...(isReadable ? [] : [IN_PART])]
  const words = shortened(own, Math.max(100, room - ROOM_FOR_NOTE - lengthOf(joined(notes))))
  const length = all.length > LOOKED_AT ? all.length : own.length
  const note = markup`<i>Shortened: the beginning of ${length} characters. All of it is in the Inbox of Postrider.</i>`
  return joined([
    own === ''
      ? markup`<i>This mail holds no text.</i>`
      : markup`<blockquote expandable>${words}</blockquote>`,
    ...(words.length < length ? [note] : []),
    ...notes,
  ])
}

const QUOTED = /^\s{0,3}>/
/** Nobody reads more of it here. */
const LOOKED_AT = 100_000

/**
 * What its author wrote: without what is quoted, or announced as a quotation; all of it where that is nothing, and where
 * it passes something on, which is what it was sent for.
 */
function ownWords(text: string, subject: string): { own: string; hasQuotes: boolean } {
  const whole = { own: text.trim(), hasQuotes: false }
  const lines = text.slice(0, LOOKED_AT).split(/\r\n|\r|\n/)
  const end = lines.findIndex(
    (line, at) => isOriginalMark(line) || isHeaderBlock(line, lines.slice(at + 1, at + 4)),
  )
  const kept: string[] = []
  const before = end === -1 ? lines : lines.slice(0, end)
  // Above the quotation: below it stands what others have passed on.
  if (isForwardSubject(subject) || before.some((line) => !QUOTED.test(line) && isForwardMark(line)))
    return whole
  for (let at = 0; at < before.length; at++) {
    const line = before[at] ?? ''
    if (QUOTED.test(line) || isAttribution(line)) continue
    // Folded, the announcement of a quotation takes two lines.
    const next = before[at + 1] ?? ''
    if (line.trim() !== '' && !isAttribution(next) && isAttribution(`${line} ${next}`)) at += 1
    else kept.push(line)
  }
  const own = kept
    .join('\n')
    .replace(/\n\s*\n(?:\s*\n)+/g, '\n\n')
    .trim()
  return own === '' ? whole : { own, hasQuotes: kept.length < lines.length }
}

/** Short, for 64 bytes are all that a press has. */
const pagePress = (which: 'o' | 'n', { isUnread, position, id }: MailPlace): string =>
  `inbox/${which}/${isUnread ? 'u' : 'r'}${position}_${id}`

/** A page of mails, and how many are unread in all. */
type Page = {
  /** The first on this page, where one was before it. */
  newerThan: MailPlace | null
  /** The last on this page, where one is after it. */
  olderThan: MailPlace | null
  isFirst: boolean
  unread: number
  timeZone: string
}

export function mailList(
  mails: readonly ListedMail[],
  { newerThan, olderThan, isFirst, unread, timeZone }: Page,
): Message {
  const heading = markup`<b>Inbox</b> · ${unread === 0 ? 'nothing unread' : markup`${unread} unread`}`
  if (mails.length === 0 && isFirst && !olderThan)
    return { text: joined([heading, markup`There is no mail here.`], '\n\n') }
  // What stood here was put away or deleted since the page before it was shown.
  if (mails.length === 0)
    return {
      text: joined([heading, markup`Nothing is left on this page.`], '\n\n'),
      buttons: [[{ text: '« Newest', press: 'inbox/0' }]],
    }
  const lines = mails.map(
    (
      mail,
      index,
    ) => markup`${index + 1}. ${mail.isUnread ? '● ' : ''}${mail.isAutomatic ? '🤖 ' : ''}${senderOf(mail)}
${subjectOf(mail)} · ${timeOf(mail.timestamp, timeZone)}`,
  )
  const turning: Button[] = [
    ...(newerThan ? [{ text: '« Newer', press: pagePress('n', newerThan) }] : []),
    ...(olderThan ? [{ text: 'Older »', press: pagePress('o', olderThan) }] : []),
  ]
  return {
    text: joined([heading, ...lines], '\n\n'),
    buttons: [
      mails.map(({ messageId }, index) => ({ text: String(index + 1), press: mailPress(messageId, 'open') })),
      ...(turning.length > 0 ? [turning] : []),
    ],
  }
}
