import { headerOf, readContentType, readHeaders, withPlainLines } from '../bounces/mail-headers.ts'

/** A stretch of a mail between two boundary lines: headers, then a body. */
export type Region = {
  bodyStart: number
  end: number
  kind: 'multipart' | 'text' | 'file' | 'between'
  /** Of no type that is known to be something else. */
  mayBeText: boolean
  encoding: string
}

/** A mail with more of something than anybody sends. */
export class TooMuch extends Error {}

const PARTS_MAX = 1_000
const DEPTH_MAX = 30
/** Lines that begin like a boundary: signatures, tables drawn with dashes, comments in attached SQL. */
const CANDIDATES_MAX = 100_000
const BOUNDARY_LINE_MAX = 250
const HEADERS_MAX = 200_000

const OTHER_TYPES = /^(?:application|audio|font|image|message|model|multipart|video)\//

/**
 * Where the parts of a mail lie, by one search for lines that begin with two dashes. A mail inside a mail is one part,
 * whatever boundaries it has. Throws `TooMuch`.
 */
export function regionsOf(bytes: Buffer): Region[] {
  const regions: Region[] = []
  const open: string[] = []
  let current = regionAt(bytes, 0, open)
  let at = 0
  for (let candidates = 0; ; candidates += 1) {
    at = bytes.indexOf('\n--', at)
    if (at < 0 || open.length === 0) break
    if (candidates > CANDIDATES_MAX) throw new TooMuch('lines that begin with dashes')
    const line = bytes.toString('latin1', at + 1, at + 1 + BOUNDARY_LINE_MAX)
    const met = boundaryIn(line, open)
    at += 1
    if (!met) continue
    // A part may have headers and no body.
    regions.push({ ...current, bodyStart: Math.min(current.bodyStart, at), end: at })
    if (regions.length > PARTS_MAX) throw new TooMuch('parts')
    open.length = met.isLast ? met.place : met.place + 1
    const next = endOfLine(bytes, at)
    current = met.isLast
      ? { bodyStart: next, end: bytes.length, kind: 'between', mayBeText: false, encoding: '' }
      : regionAt(bytes, next, open)
    at = Math.max(next - 1, at)
  }
  regions.push(current)
  return regions
}

/** The innermost multipart whose boundary this line is. */
function boundaryIn(line: string, open: string[]): { place: number; isLast: boolean } | null {
  const end = line.indexOf('\n')
  const text = (end < 0 ? line : line.slice(0, end)).slice(2).trimEnd()
  for (let place = open.length - 1; place >= 0; place -= 1) {
    if (text === open[place]) return { place, isLast: false }
    if (text === `${open[place]}--`) return { place, isLast: true }
  }
  return null
}

function regionAt(bytes: Buffer, start: number, open: string[]): Region {
  const bodyStart = endOfHeaders(bytes, start)
  const { headers } = readHeaders(withPlainLines(bytes.toString('latin1', start, bodyStart)))
  const { type, params } = readContentType(headerOf(headers, 'content-type'))
  const region = {
    bodyStart,
    end: bytes.length,
    encoding: encodingOf(headerOf(headers, 'content-transfer-encoding')),
  }
  if (type.startsWith('multipart/')) {
    const boundary = params.get('boundary')
    if (boundary) open.push(boundary.trimEnd())
    if (open.length > DEPTH_MAX) throw new TooMuch('parts inside parts')
    return { ...region, kind: 'multipart', mayBeText: false }
  }
  const isAttached = /^\s*attachment\b/i.test(headerOf(headers, 'content-disposition'))
  const isText = type === '' || type === 'text/plain' || type === 'text/html'
  const mayBeText = !isAttached && !OTHER_TYPES.test(type)
  return { ...region, kind: isText && !isAttached ? 'text' : 'file', mayBeText }
}

function encodingOf(declared: string): string {
  if (/base64/i.test(declared)) return 'base64'
  return /quoted-printable/i.test(declared) ? 'quoted-printable' : ''
}

/** Behind the first blank line. */
function endOfHeaders(bytes: Buffer, start: number): number {
  if (bytes[start] === 0x0a) return start + 1
  if (bytes[start] === 0x0d && bytes[start + 1] === 0x0a) return start + 2
  // A short look first: in a thousand parts there must not be a thousand long ones.
  for (const size of [4_000, HEADERS_MAX]) {
    const head = bytes.subarray(start, start + size)
    const withReturns = head.indexOf('\n\r\n')
    const plain = (withReturns < 0 ? head : head.subarray(0, withReturns + 1)).indexOf('\n\n')
    if (plain >= 0) return start + plain + 2
    if (withReturns >= 0) return start + withReturns + 3
    if (head.length < size) return bytes.length
  }
  throw new TooMuch('headers')
}

function endOfLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0x0a, at)
  return end < 0 ? bytes.length : end + 1
}
