import type { Outcome, OutgoingMail } from './provider.ts'

// Line breaks of every kind (U+0085 is one of the control characters): in a header each could start another header.
const BREAKING = /[\p{Cc}\u2028\u2029]/u
/** One bare address; anything that could make a second one, a name or a comment out of it is left out. */
const ONE_ADDRESS =
  /^[^\s\p{Cc}\u2028\u2029<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}\u2028\u2029<>()[\]\\,;:"@]{1,253}$/u
const ADDRESS_MAX = 254
/** A sender's own header may not replace or repeat the ones that every message has once. */
const OWN_HEADERS = new Set(
  'from sender to cc bcc reply-to subject date message-id mime-version content-type content-transfer-encoding return-path received'.split(
    ' ',
  ),
)

/**
 * Why a mail may not leave, or null. Every provider asks first, so that no spelling of a subject, a name or an address
 * becomes a header of its own, whatever the library or the API behind would make of it.
 */
export function refusalOf(mail: OutgoingMail): Extract<Outcome, { kind: 'rejected' }> | null {
  const reason = firstFlaw(mail)
  return reason === null ? null : { kind: 'rejected', reason }
}

function firstFlaw(mail: OutgoingMail): string | null {
  if (BREAKING.test(mail.subject)) return 'The subject holds a line break or control character'
  if (BREAKING.test(mail.from.name)) return "The sender's name holds a line break or control character"
  if (!isOneAddress(mail.from.address)) return 'The sender is not one plain e-mail address'
  if (!isOneAddress(mail.to)) return 'The recipient is not one plain e-mail address'
  if (mail.replyTo !== null && !isOneAddress(mail.replyTo))
    return 'The reply address is not one plain e-mail address'
  if (!/^<[^\s<>]+@[^\s<>]+>$/.test(mail.messageId)) return 'The Message-ID does not have its form'
  for (const [name, value] of Object.entries(mail.headers)) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name) || OWN_HEADERS.has(name.toLowerCase()))
      return 'A header has a name that may not be set'
    if (BREAKING.test(value)) return `The header ${name} holds a line break or control character`
  }
  return null
}

const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text) && text.length <= ADDRESS_MAX

/** `Name <address>`, quoted where a character of the name means something in a header. */
export function nameAndAddress({ name, address }: { name: string; address: string }): string {
  if (name === '') return address
  const plain = /^[\p{L}\p{N}][\p{L}\p{N} '_-]*$/u.test(name)
  return `${plain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`
}

const WORDS_MAX = 300

/** What a provider said, as one line that can be shown: no credential that it may have echoed, no line breaks. */
export function providersWords(text: string, secrets: readonly string[] = []): string {
  let words = text
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '…')
  words = words.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words
}
