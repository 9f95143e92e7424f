import { randomBytes } from 'node:crypto'
import { mendedBase64 } from './mended-base64.ts'
import { type Region, regionsOf, TooMuch } from './part-regions.ts'

/**
 * postal-mime goes through a mail line by line and keeps an object for each: 25 MB of ordinary attachments take it half
 * a second, 25 MB of short lines more than 4 GB. So it is given no long part: the body of one is set aside and decoded
 * here, and a mark stands in its place.
 */
type ShortenedMail = {
  bytes: Uint8Array
  /** A text was longer than is read: its end is not in `bytes`. */
  isCut: boolean
  /** The whole content of a part, where its mark came back; otherwise as it was given. */
  restored(content: Uint8Array): Uint8Array
}

const LONG_BYTES = 50_000
/** All that postal-mime is given of one mail, beside headers and marks: HTML with its pictures inside, in base64. */
const GIVEN_BYTES = 6_000_000
const GIVEN_LINES = 100_000
/** A line that is not encoded takes postal-mime this many times as long as one that is. */
const PLAIN_LINE = 5
const MARK_BYTES = 12
/** Lines of base64 that were each ended on their own: a file of 5 MB. */
const PADDED_MAX = 100_000

/** Throws `TooMuch` where the mail has more parts than are read. */
export function shortened(raw: Uint8Array): ShortenedMail {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  /** What stands in the place of what was set aside; no mail can hold it by itself. */
  const marks = new Map<string, () => Buffer>()
  const pieces: Buffer[] = []
  const room = { bytes: GIVEN_BYTES, lines: GIVEN_LINES }
  let at = 0
  let isCut = false
  for (const region of regionsOf(bytes)) {
    const body = bytes.subarray(region.bodyStart, region.end)
    const weight = region.encoding === '' ? PLAIN_LINE : 1
    const isShortEnough = isShort(region, body) && takesRoom(body, weight, room)
    const mended = isShortEnough && isEncodedText(region) ? mendedBase64(body) : body
    if (isShortEnough && mended === body) continue
    if (region.kind === 'multipart') throw new TooMuch('text where only parts are expected')
    pieces.push(bytes.subarray(at, region.bodyStart))
    if (isShortEnough) pieces.push(mended)
    else if (region.kind === 'file') {
      const mark = randomBytes(MARK_BYTES).toString('hex')
      marks.set(mark, () => decoded(body, region.encoding))
      pieces.push(Buffer.from(`${region.encoding === 'base64' ? btoa(mark) : mark}\n`))
    } else {
      const text = beginning(body, weight, room)
      isCut ||= text.length < body.length
      takesRoom(text, weight, room)
      pieces.push(isEncodedText(region) ? mendedBase64(text) : text, Buffer.from('\n'))
    }
    at = region.end
  }
  pieces.push(bytes.subarray(at))
  return {
    bytes: pieces.length === 1 ? bytes : Buffer.concat(pieces),
    isCut,
    restored: (content) => marks.get(markIn(content))?.() ?? content,
  }
}

const isEncodedText = ({ encoding, mayBeText }: Region): boolean => encoding === 'base64' && mayBeText

/** A multipart of which no boundary was found may be one whose boundary only postal-mime understands. */
const isShort = (region: Region, body: Buffer): boolean =>
  body.length <= (region.kind === 'multipart' ? GIVEN_BYTES : LONG_BYTES)

type Room = { bytes: number; lines: number }

function takesRoom(body: Buffer, weight: number, room: Room): boolean {
  const { lines, end } = linesIn(body, room.lines / weight)
  if (body.length > room.bytes || end < body.length) return false
  room.bytes -= body.length
  room.lines -= lines * weight
  return true
}

function beginning(body: Buffer, weight: number, room: Room): Buffer {
  const text = body.subarray(0, room.bytes)
  return text.subarray(0, linesIn(text, room.lines / weight).end)
}

/** At most so many, and where the last of them ends. */
function linesIn(body: Buffer, max: number): { lines: number; end: number } {
  let end = 0
  for (let lines = 0; lines < max; lines += 1) {
    const found = body.indexOf(0x0a, end)
    if (found < 0) return { lines: lines + 1, end: body.length }
    end = found + 1
  }
  return { lines: max, end }
}

const markIn = (content: Uint8Array): string =>
  content.byteLength > 2 * MARK_BYTES + 2 ? '' : Buffer.from(content).toString('latin1').trim()

function decoded(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return base64Decoded(body.toString('latin1'))
  // The line break before a boundary belongs to the boundary.
  const ending = body.at(-1) !== 0x0a ? 0 : body.at(-2) === 0x0d ? 2 : 1
  const content = body.subarray(0, body.length - ending)
  if (encoding === '') return content
  return Buffer.from(quotedPrintable(content.toString('latin1')), 'latin1')
}

/** Some mailers end every line with `=`, and go on. */
function base64Decoded(text: string): Buffer {
  const pad = text.indexOf('=')
  if (pad < 0 || /^[=\s]*$/.test(text.slice(pad, pad + 1_000))) return Buffer.from(text, 'base64')
  const pieces = text.split(/=+/, PADDED_MAX)
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
}

const quotedPrintable = (text: string): string =>
  text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
