import { domainToASCII } from 'node:url'
import { addressParser } from 'postal-mime'
import { parseMailAddress } from '../platform/mail-address.ts'
import { oneLine, visibleAddress } from './clean-text.ts'
import { bytesAsText } from './header-text.ts'

export type HeaderMailbox = { name: string; address: string }

const NAME_MAX = 200
const ENCODED_WORD = /=\?[^\s?]{1,60}\?q\?[^\s?]*\?=/gi

/**
 * The mailboxes of an address header: groups opened, comments left out. An address that the house's parser takes is as
 * it would be written to; any other is shown as it stands.
 */
export function readMailboxes(value: string): HeaderMailbox[] {
  // Many mailers leave a comma as it is in an encoded word (RFC 2047, 5 forbids it), and the parser would cut there.
  const text = bytesAsText(value).replace(ENCODED_WORD, (word) => word.replaceAll(',', '=2C'))
  return addressParser(text, { flatten: true }).map((entry) => {
    // Hidden in an encoded word it is no address (RFC 2047, 5), though some parsers take it for one.
    const written = text.includes(entry.address ?? '') ? (entry.address ?? '') : ''
    const address = validAddress(written) || visibleAddress(written)
    const name = oneLine(entry.name, NAME_MAX)
    return { name: name === address ? '' : name, address }
  })
}

/** A name with a comma that nobody has quoted falls apart before its address: `Doe, Jane <jane@x.test>`. */
export function firstAddressed(mailboxes: HeaderMailbox[]): HeaderMailbox | undefined {
  const place = mailboxes.findIndex(({ address }) => address !== '')
  const names = mailboxes.slice(0, place + 1).flatMap(({ name }) => name || [])
  const found = mailboxes[place]
  return found && { ...found, name: oneLine(names.join(', '), NAME_MAX) }
}

/** Empty where mail cannot be sent to it. */
export function validAddress(address: string): string {
  const valid = parseMailAddress(visibleAddress(address))?.address ?? ''
  const at = valid.lastIndexOf('@') + 1
  const domain = valid.slice(at)
  return isLookAlike(domain) ? `${valid.slice(0, at)}${domainToASCII(domain)}` : valid
}

/** Scripts with letters that look like Latin ones. */
const ALIKE = /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Geor}\p{sc=Lisu}]/u

/** `pаypal.com` with a Cyrillic а: shown as it is written on the wire. Whole addresses in one script stay, as in `.рф`. */
const isLookAlike = (domain: string): boolean => ALIKE.test(domain) && /\p{sc=Latin}/u.test(domain)
