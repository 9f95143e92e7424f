import { parseMailAddress } from '../platform/mail-address.ts'
import type { Copy, Letter, Outcome } from './provider.ts'

// Line breaks of every kind (U+0085 is one of the control characters): in a header each could start another header.
const BREAKING = /[\p{Cc}\u2028\u2029]/u
const MESSAGE_ID = /^<[!-;=?-~]+@[!-;=?-~]+>$/
const MESSAGE_ID_MAX = 490
/** Those that every message has exactly once, or that change whom it goes to: nobody may set them beside the letter. */
export const OWN_HEADERS: ReadonlySet<string> = new Set(
  'from sender to cc bcc reply-to subject date message-id mime-version content-type content-transfer-encoding return-path received'.split(
    ' ',
  ),
)

/**
 * Why a copy may not leave, or null. Every provider asks first, so that no spelling of a subject, a name or an address
 * becomes a header of its own, whatever the library or the API behind would make of it.
 */
export function refusalOf(letter: Letter, copy: Copy): Extract<Outcome, { kind: 'rejected' }> | null {
  const { flaw, headerNames, isMarked } = inspected(letter)
  const reason = flaw ?? flawOfCopy(copy, headerNames) ?? (isMarked ? flawOfToken(copy) : null)
  return reason === null ? null : { kind: 'rejected', reason }
}

type Inspection = { flaw: string | null; headerNames: ReadonlySet<string>; isMarked: boolean }

/** A letter goes to a million people and is looked at once. */
const inspections = new WeakMap<Letter, Inspection>()

function inspected(letter: Letter): Inspection {
  const known = inspections.get(letter)
  if (known) return known
  const headerNames = new Set(Object.keys(letter.headers).map((name) => name.toLowerCase()))
  const inspection = { flaw: flawOfLetter(letter), headerNames, isMarked: letter.mark !== undefined }
  inspections.set(letter, inspection)
  return inspection
}

function flawOfLetter(letter: Letter): string | null {
  if (letter.mark !== undefined && !TOKEN.test(letter.mark)) return "The letter's mark does not have its form"
  if (BREAKING.test(letter.subject)) return 'The subject holds a line break or control character'
  if (BREAKING.test(letter.from.name)) return "The sender's name holds a line break or control character"
  if (!isOneAddress(letter.from.address)) return 'The sender is not one plain e-mail address'
  if (letter.replyTo !== null && !isOneAddress(letter.replyTo))
    return 'The reply address is not one plain e-mail address'
  return flawOfHeaders(letter.headers, NONE)
}

function flawOfCopy(copy: Copy, lettersHeaders: ReadonlySet<string>): string | null {
  if (BREAKING.test(copy.to.name)) return "The recipient's name holds a line break or control character"
  if (!isOneAddress(copy.to.address)) return 'The recipient is not one plain e-mail address'
  if (!MESSAGE_ID.test(copy.messageId) || copy.messageId.length > MESSAGE_ID_MAX)
    return 'The Message-ID does not have its form'
  return flawOfHeaders(copy.headers, lettersHeaders)
}

const TOKEN = /^[\w-]{48}$/

/** A copy without its own token would carry everybody's links, or nobody's. */
const flawOfToken = ({ token }: Copy): string | null =>
  token !== undefined && TOKEN.test(token)
    ? null
    : "The copy lacks what stands in the place of the letter's mark"

const NONE: ReadonlySet<string> = new Set()

function flawOfHeaders(headers: Letter['headers'], taken: ReadonlySet<string>): string | null {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!/^[A-Za-z][A-Za-z0-9-]{0,49}$/.test(name) || OWN_HEADERS.has(lower))
      return 'A header has a name that may not be set'
    if (taken.has(lower) || seen.has(lower)) return `The header ${name} is set twice`
    if (BREAKING.test(value)) return `The header ${name} holds a line break or control character`
    seen.add(lower)
  }
  return null
}

/** By the one parser of the house, and as it stands: the parser would forgive a space around it. */
const isOneAddress = (text: string): boolean => parseMailAddress(text) !== null && !/\s/.test(text)
