export interface Recipient {
  /** As typed, name included: this is what is sent. */
  text: string
  /** Equal for all spellings of one mailbox. */
  key: string
  /** It reads like an address. Whether it is one is decided by the server. */
  looksRight: boolean
}

const LOCAL = "[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*"
const DOMAIN = '(?:[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?\\.)*[a-z](?:[a-z\\d-]{0,61}[a-z\\d])?'
/** Nearly all of a long list is this, and nothing more needs to be looked at. */
const PLAIN = new RegExp(`^${LOCAL}@${DOMAIN}$`, 'i')
/** Letters of any script. A domain needs no dot, as for the server: who is counted out here must not get the mail. */
const WIDE =
  /^(?!\p{M})[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)*(?!\d+$)[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u
const UNQUOTED_NAME = /^[^"(),:;<>@[\\\]]*$/
const QUOTED_NAME = /^"(?:[^"\\]|\\.)*"$/
const ADDRESS_MAX = 254
const LOCAL_MAX = 64

/** Reads one entry: `a@b`, `<a@b>`, `Name <a@b>` or `"Name, quoted" <a@b>`. */
export function readRecipient(text: string): Recipient {
  if (PLAIN.test(text)) return { text, key: text.toLowerCase(), looksRight: hasRightSize(text) }
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1
  const name = text.slice(0, Math.max(open, 0)).trim()
  const address = (open < 0 ? text : text.slice(open + 1, -1)).trim().replace(/\.$/, '').normalize('NFC')
  const looksRight =
    (PLAIN.test(address) || WIDE.test(address)) &&
    hasRightSize(address) &&
    (UNQUOTED_NAME.test(name) || QUOTED_NAME.test(name))
  return { text, key: (looksRight ? address : text).toLowerCase(), looksRight }
}

const hasRightSize = (address: string): boolean =>
  address.length <= ADDRESS_MAX && address.lastIndexOf('@') <= LOCAL_MAX
