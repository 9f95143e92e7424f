import { domainToASCII } from 'node:url'
import { AppError } from './errors.ts'

export type MailAddress = {
  /** As its owner writes it. */
  address: string
  /** Equal for all spellings of one mailbox: case, Unicode composition, a dot after the domain, an encoded domain. */
  key: string
}

const LOCAL_MAX = 64
const ADDRESS_MAX = 254
/** An unquoted local part: letters and digits of any script, and the signs that RFC 5322 allows in an atom. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** One bare address, or null: never guesses, never repairs more than spelling. */
export function parseMailAddress(text: string): MailAddress | null {
  const typed = text.trim().normalize('NFC')
  const at = typed.lastIndexOf('@')
  const local = typed.slice(0, at)
  const domain = typed.slice(at + 1).replace(/\.$/, '')
  if (at < 1 || !LOCAL.test(local)) return null
  // An underscore or a space makes domainToASCII answer '' or the like, which no label then matches.
  const ascii = domainToASCII(domain).toLowerCase()
  if (!ascii.split('.').every((label) => LABEL.test(label)) || /^[\d.]+$/.test(ascii)) return null
  const octets = Buffer.byteLength(local) + 1 + ascii.length
  if (Buffer.byteLength(local) > LOCAL_MAX || octets > ADDRESS_MAX) return null
  return { address: `${local}@${domain}`, key: `${local.toLowerCase().normalize('NFC')}@${ascii}` }
}

export function requireMailAddress(text: string): MailAddress {
  const mailbox = parseMailAddress(text)
  if (!mailbox) throw new AppError(400, 'Please enter a valid e-mail address, for example name@example.com')
  return mailbox
}
