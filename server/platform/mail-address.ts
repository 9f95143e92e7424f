import { domainToASCII } from 'node:url'
import { AppError } from './errors.ts'

export type MailAddress = {
  /** As its owner writes it. */
  address: string
  /** Equal for all spellings of one mailbox: case, Unicode composition, a dot after the domain, an encoded domain. */
  key: string
}

type Recipient = MailAddress & {
  /** Trimmed, with single spaces; empty where none was given. */
  name: string
}

const LOCAL_MAX = 64
const ADDRESS_MAX = 254
const NAME_MAX = 200
/** Far above the longest name and address with every character escaped: nobody makes us read a book. */
const ENTRY_MAX = 1_000

/**
 * An unquoted local part: letters and digits of any script, and the signs that RFC 5322 allows in an atom. It begins
 * with no combining mark, which would melt with the sign before it (`<` and U+0338 are one character).
 */
const LOCAL = /^(?!\p{M})[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
/**
 * What no domain holds. domainToASCII reads like a browser: it drops line breaks and soft hyphens, decodes `%2e` and
 * stops at `/`, `?`, `#` and `\`, so that a text could be shown as one domain and reached as another.
 */
const NOT_IN_DOMAIN = /[^-.0-9A-Za-z\u0080-\u{10ffff}]|[\s\p{Cc}\p{Cs}\p{Co}]|(?![\u200c\u200d])\p{Cf}/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** One bare address, or null: never guesses, never repairs more than spelling. */
export function parseMailAddress(text: string): MailAddress | null {
  return readPlainAddress(text) ?? readAddress(text.trim())
}

export function requireMailAddress(text: string): MailAddress {
  const mailbox = parseMailAddress(text)
  if (!mailbox) throw new AppError(400, 'Please enter a valid e-mail address, for example name@example.com')
  return mailbox
}

/**
 * One mailbox of a list of recipients: `a@b`, `<a@b>`, `Name <a@b>` or `"Quoted, Name" <a@b>`. Everything else that a
 * mail header may hold (lists, groups, comments, routes, quoted local parts) is null: libraries disagree about those,
 * and a mail must go to the address that was shown and to no other.
 */
export function parseRecipient(entry: string): Recipient | null {
  return readPlainRecipient(entry) ?? readRecipient(entry)
}

function readAddress(typed: string): MailAddress | null {
  const text = typed.normalize('NFC')
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1).replace(/\.$/, '')
  if (at < 1 || !LOCAL.test(local) || NOT_IN_DOMAIN.test(domain)) return null
  const ascii = domainToASCII(domain).toLowerCase()
  if (!ascii.split('.').every((label) => LABEL.test(label)) || /^[\d.]+$/.test(ascii)) return null
  const octets = Buffer.byteLength(local) + 1 + ascii.length
  if (Buffer.byteLength(local) > LOCAL_MAX || octets > ADDRESS_MAX) return null
  return { address: `${local}@${domain}`, key: `${local.toLowerCase().normalize('NFC')}@${ascii}` }
}

/** Line breaks of every kind, controls, halves of characters, and the signs that turn the direction of what follows. */
const NEVER = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/** A name as people type it; the signs that mean something in a header need quotes around them. */
const UNQUOTED_NAME = /^[^"(),:;<>@[\\\]]*$/
const QUOTED_NAME = /^"((?:[^"\\]|\\.)*)"$/u

/** The rule in full. `parseRecipient` answers the same, and sooner where it can. */
export function readRecipient(entry: string): Recipient | null {
  if (entry.length > ENTRY_MAX || NEVER.test(entry)) return null
  const text = entry.trim()
  if (!text.endsWith('>')) return withName('', readAddress(text))
  // The last bracket, because a quoted name may hold one; an address never does.
  const open = text.lastIndexOf('<')
  const phrase = text.slice(0, Math.max(open, 0)).trim()
  const quoted = QUOTED_NAME.exec(phrase)?.[1]?.replace(/\\(.)/gu, '$1')
  if (open < 0 || (quoted === undefined && !UNQUOTED_NAME.test(phrase))) return null
  const name = (quoted ?? phrase).trim().replace(/\s+/g, ' ')
  return name.length > NAME_MAX ? null : withName(name, readAddress(text.slice(open + 1, -1)))
}

const withName = (name: string, mailbox: MailAddress | null): Recipient | null =>
  mailbox && { name, address: mailbox.address, key: mailbox.key }

// A million recipients pass here at once, nearly all of them plain ASCII. Null below means only: look closer.

const PLAIN_LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const PLAIN_NAME = /^[\w!#$%&'*+/=?^`{|}~. -]*$/
/** Ends in a label that begins with a letter: no IP address in any of its spellings. */
const PLAIN_DOMAIN =
  /^(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)*[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/

function readPlainRecipient(entry: string): Recipient | null {
  if (entry.length > ENTRY_MAX) return null
  if (entry.charCodeAt(entry.length - 1) !== 0x3e) return withName('', readPlainAddress(entry))
  const open = entry.indexOf('<')
  const name = entry.slice(0, Math.max(open, 0)).trim()
  if (open < 0 || name.length > NAME_MAX || !PLAIN_NAME.test(name) || name.includes('  ')) return null
  // Only spaces may have been trimmed: a tab or a line break is for the rule in full to refuse.
  if (open > name.length + 1 || (open > name.length && entry.charCodeAt(open - 1) !== 0x20)) return null
  return withName(name, readPlainAddress(entry.slice(open + 1, -1)))
}

function readPlainAddress(text: string): MailAddress | null {
  const at = text.indexOf('@')
  if (at < 1 || at > LOCAL_MAX || text.length > ADDRESS_MAX) return null
  const local = text.slice(0, at)
  if (!PLAIN_LOCAL.test(local)) return null
  const domain = plainDomain(text.slice(at + 1))
  return domain === null ? null : { address: text, key: `${local.toLowerCase()}@${domain}` }
}

/** A list names the same few domains again and again. */
const plainDomains = new Map<string, string>()
const DOMAINS_MAX = 4_096

function plainDomain(typed: string): string | null {
  const known = plainDomains.get(typed)
  if (known !== undefined) return known
  if (!PLAIN_DOMAIN.test(typed)) return null
  if (plainDomains.size >= DOMAINS_MAX) plainDomains.clear()
  // A copy: a piece of a text keeps the whole text in memory, which may be an uploaded list of a million lines.
  const copy = Buffer.from(typed, 'latin1').toString('latin1')
  const key = copy.toLowerCase()
  plainDomains.set(copy, key)
  return key
}
