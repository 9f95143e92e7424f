import { quotedOctets } from './encoded-words.ts'

const LINE_MAX = 76

type EncodedBody = {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** ASCII in lines of at most 76 characters, ended by CRLF; no line break after the last. */
  content: string
}

/**
 * A body as it travels. No encoding of ours ever holds `=_`, so that a boundary with it cannot be met inside. `mark`
 * stays in one piece, so that something of the same length can be written over it.
 */
export function encodeBody(text: string, mark?: string): EncodedBody {
  const canonical = canonicalText(text)
  if (canTravelPlain(canonical)) return { encoding: '7bit', content: canonical }
  const octets = Buffer.from(canonical)
  const isMarked = mark !== undefined && canonical.includes(mark)
  if (!isMarked && octets.length > 2 * asciiCount(octets))
    return { encoding: 'base64', content: inBase64(octets) }
  return { encoding: 'quoted-printable', content: inQuotedPrintable(canonical, isMarked ? mark : null) }
}

/**
 * The one spelling of line ends that SMTP knows, whatever mixture came in. NUL, which no mail may hold, becomes U+FFFD,
 * as half a character does by itself in UTF-8; other control characters are carried as they are, encoded.
 */
const canonicalText = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n').replaceAll('\0', '\ufffd')

/** Short printable lines, with nothing that a server on the way is known to change: spaces at an end, `From ` at a start. */
const canTravelPlain = (text: string): boolean =>
  /^[\t\r\n\x20-\x7e]*$/.test(text) &&
  !text.includes('=_') &&
  text.split('\r\n').every((line) => line.length <= LINE_MAX && !/[\t ]$|^From /.test(line))

function asciiCount(octets: Buffer): number {
  let count = 0
  for (const octet of octets) if (octet < 0x80) count++
  return count
}

const inBase64 = (octets: Buffer): string => octets.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')

const inQuotedPrintable = (text: string, mark: string | null): string =>
  text
    .split('\r\n')
    .map((line) => quotedPrintableLine(line, mark))
    .join('\r\n')

/** One line as several that end in `=`. A character stays whole on its line, for readers who decode line by line. */
function quotedPrintableLine(line: string, mark: string | null): string {
  let encoded = ''
  let length = 0
  let at = 0
  for (const character of unitsOf(line, mark)) {
    const isLast = at + character.length === line.length
    let unit = quotedUnit(character, isLast)
    // The last of a line needs no room for the `=` of a line that goes on.
    if (length + unit.length > (isLast ? LINE_MAX : LINE_MAX - 1)) {
      encoded += '=\r\n'
      length = 0
    }
    if (length === 0 && line.startsWith('From ', at)) unit = quotedOctets(character)
    encoded += unit
    length += unit.length
    at += character.length
  }
  return encoded
}

/** What must not be parted: characters, and the mark. */
function* unitsOf(line: string, mark: string | null): Generator<string> {
  if (mark === null) return yield* line
  for (const [index, piece] of line.split(mark).entries()) {
    if (index > 0) yield mark
    yield* piece
  }
}

function quotedUnit(character: string, isLast: boolean): string {
  if (character.length > 2) return character
  if (character === ' ' || character === '\t') return isLast ? quotedOctets(character) : character
  return /^[!-<>-~]$/.test(character) ? character : quotedOctets(character)
}
