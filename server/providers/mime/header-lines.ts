import { parseMailAddress } from '../../platform/mail-address.ts'
import { OWN_HEADERS } from '../mail-safety.ts'
import type { Mailbox } from '../provider.ts'
import { encodedWords, looksEncoded } from './encoded-words.ts'

/** Of RFC 2047, for lines with an encoded word; others might have 78. */
const LINE_MAX = 76
/** RFC 5322: what no line may pass, its line break not counted. */
const LINE_LIMIT = 998
const PRINTABLE = /^[\x20-\x7e]*$/
/** Words of signs that need no quotes, one space between them. */
const PLAIN_NAME = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/

/** A text for people: where a word of it fits no line it is encoded, and can then be folded anywhere. */
export function subjectLine(subject: string): string {
  const text = harmless(subject)
  const before = 'Subject: '.length
  const words = isPlain(text) ? foldable(text) : null
  if (words?.every((word, at) => word.length <= LINE_MAX - (at === 0 ? before : 1)))
    return foldedLine('Subject', words)
  return foldedLine('Subject', encodedWords(text, before))
}

/** A text that machines read too: a long word, mostly a link, is left as it is while a line can carry it. */
export function headerLine(name: string, value: string): string {
  const text = harmless(value)
  const words = isPlain(text) ? foldable(text) : null
  if (words?.every((word) => name.length + 2 + word.length <= LINE_LIMIT)) return foldedLine(name, words)
  return foldedLine(name, encodedWords(text, name.length + 2))
}

/** Refuses a name that is none, and one that the message has already. Answers how names are compared. */
export function headerKey(name: string): string {
  const key = name.toLowerCase()
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(key) || OWN_HEADERS.has(key))
    throw new Error('A header has a name that may not be set')
  return key
}

export function mailboxLine(header: string, { name, address }: Mailbox): string {
  const addressed = envelopeAddress(address)
  const text = harmless(name)
  if (text.trim() === '') return `${header}: ${addressed}\r\n`
  return foldedLine(header, [...phrase(text, header.length + 2), `<${addressed}>`])
}

function phrase(name: string, before: number): string[] {
  if (!looksEncoded(name)) {
    const words = PLAIN_NAME.test(name) ? name.split(' ') : null
    if (words?.every((word) => word.length <= LINE_MAX - before)) return words
    const quoted = PRINTABLE.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : null
    if (quoted && quoted.length <= LINE_MAX - before) return [quoted]
  }
  return encodedWords(name, before)
}

export function messageIdLine(messageId: string): string {
  if (!/^<[!-;=?-~]+@[!-;=?-~]+>$/.test(messageId) || messageId.length > LINE_LIMIT / 2)
    throw new Error('The Message-ID does not have its form')
  return `Message-ID: ${messageId}\r\n`
}

/**
 * The address as it goes into the envelope and the headers: the domain in ASCII, which every server knows to resolve.
 * Throws for anything that is not one plain address; callers have refused those before.
 */
export function envelopeAddress(address: string): string {
  const mailbox = parseMailAddress(address)
  if (!mailbox) throw new Error('Not one plain e-mail address')
  if (PRINTABLE.test(mailbox.address)) return mailbox.address
  const local = mailbox.address.slice(0, mailbox.address.lastIndexOf('@'))
  return local + mailbox.key.slice(mailbox.key.lastIndexOf('@'))
}

/** A domain is ASCII by then, so that it is the local part which only a server with SMTPUTF8 takes. */
export const isInternational = (address: string): boolean => !PRINTABLE.test(envelopeAddress(address))

/**
 * Without any sign that could end a line. Callers refuse such texts; here they can become a space at most, never the
 * beginning of another header, neither as they are nor in the hands of someone who decodes them.
 */
const harmless = (text: string): string =>
  PRINTABLE.test(text) ? text : text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const isPlain = (text: string): boolean => PRINTABLE.test(text) && !looksEncoded(text)

/** Only a single space is a place to fold: readers differ about what they make of a longer gap. */
const foldable = (text: string): string[] => text.trim().split(/(?<! ) (?! )/)

/** The first word stays beside the name: an empty first line is allowed, yet some servers stumble over it. */
function foldedLine(name: string, words: readonly string[]): string {
  let folded = `${name}:`
  let length = folded.length
  words.forEach((word, at) => {
    if (word === '') return
    if (at > 0 && length + 1 + word.length > LINE_MAX) {
      folded += '\r\n'
      length = 0
    }
    folded += ` ${word}`
    length += 1 + word.length
  })
  return `${folded}\r\n`
}
