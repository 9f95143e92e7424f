/** Addresses as they stand in reports: more forgiving than `platform/mail-address`, because nothing is sent to them from here. */
export type FoundAddress = {
  address: string
  /** Where it stands in the text, brackets and quotes not counted. */
  start: number
  end: number
  isBracketed: boolean
}

const LOCAL_MAX = 128
const DOMAIN_MAX = 255
/** A list of recipients goes on for pages; nobody needs more of one line. */
const PER_LINE_MAX = 50
const LOCAL_SIGN = /[\w!#$%&'*+/=?^`{|}~.-]/
const DOMAIN_SIGN = /[A-Za-z0-9.-]/

/** All addresses of a line, from left to right. Walks outwards from each `@`, so a long line costs no more than its length. */
export function findAddresses(line: string): FoundAddress[] {
  const found: FoundAddress[] = []
  let at = line.indexOf('@')
  while (at >= 0 && found.length < PER_LINE_MAX) {
    const address = bracketed(line, at) ?? bare(line, at)
    if (address) found.push(address)
    at = line.indexOf('@', Math.max(at, address?.end ?? 0) + 1)
  }
  return found
}

export const firstAddress = (text: string): string | null => findAddresses(text)[0]?.address ?? null

/** `<…>` says where an address begins and ends, so that it may hold other scripts, quotes and a domain without a dot. */
function bracketed(line: string, at: number): FoundAddress | null {
  const open = line.lastIndexOf('<', at)
  const close = line.indexOf('>', at)
  if (open < 0 || close < 0 || close - open > LOCAL_MAX + DOMAIN_MAX) return null
  const inside = line
    .slice(open + 1, close)
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/^"([^"]*)"@/, quotedLocal)
  // A source route (RFC 821): only what follows it is the mailbox.
  const address = inside.startsWith('@') ? inside.slice(inside.indexOf(':') + 1) : inside
  if (!/^(?:"[^"]{1,64}"|[^\s"<>()[\],;:@]{1,128})@[^\s"<>()[\],;:@/]{1,255}$/u.test(address)) return null
  return { address: trimmed(address), start: open + 1, end: close, isBracketed: true }
}

/** Quotes around what needs none. */
const quotedLocal = (whole: string, local: string): string =>
  /^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(local) ? `${local}@` : whole

function bare(line: string, at: number): FoundAddress | null {
  let start = at
  while (start > 0 && at - start < LOCAL_MAX && LOCAL_SIGN.test(line[start - 1] ?? '')) start -= 1
  if (line[at - 1] === '"') {
    const quote = line.lastIndexOf('"', at - 2)
    if (quote >= 0 && at - quote < LOCAL_MAX) start = quote
  }
  // An apostrophe or an equals sign before an address belongs to the sentence around it.
  while (start < at && /['`=*/|]/.test(line[start] ?? '')) start += 1
  let end = at + 1
  while (end < line.length && end - at < DOMAIN_MAX && DOMAIN_SIGN.test(line[end] ?? '')) end += 1
  const domain = trimmed(line.slice(at + 1, end))
  if (start === at || !domain.includes('.') || !/[A-Za-z]/.test(domain)) return null
  if (/^[.-]|\.\./.test(domain)) return null
  const address = `${line.slice(start, at)}@${domain}`.replace(/^"([^"]*)"@/, quotedLocal)
  return { address, start, end: at + 1 + domain.length, isBracketed: false }
}

/** The end of a sentence is no part of a domain. */
const trimmed = (address: string): string => address.replace(/[.-]{1,10}$/, '')

/** Equal for the spellings of one address, as far as a report can tell. */
export const addressKey = (address: string): string => address.toLowerCase()

/** Machines and desks that sign reports, and never are the address that failed. */
const DESKS =
  /^(?:mailer-?daemon|mail-?daemon|mdaemon|postmaster|post_master|abuse|noreply|no-reply|do-?not-?reply|mail-?delivery|bounces?|double-bounce|helpdesk|hostmaster|listserv|majordomo)(?:$|[+@-])/i

export const isDesk = (address: string): boolean => DESKS.test(address)
