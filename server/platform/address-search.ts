import { parseMailAddress } from './mail-address.ts'

/** What somebody types who looks for an address, in the spellings that are stored. */
export type AddressSearch = {
  /** In an address as it is shown, in lower case. */
  shown: string
  /** In a key: a domain beyond ASCII is encoded there, which only a whole one can be. */
  key: string
  /** Every key that begins with what was typed begins with this, however its domain is spelled. */
  prefix: string
}

export function addressSearch(typed: string): AddressSearch {
  const shown = typed.normalize('NFC').toLowerCase()
  const key = parseMailAddress(typed)?.key ?? shown
  const at = shown.lastIndexOf('@')
  const hasEncodedDomain = at !== -1 && /[^\0-\x7f]/.test(shown.slice(at))
  return { shown, key, prefix: hasEncodedDomain ? shown.slice(0, at + 1) : shown }
}
