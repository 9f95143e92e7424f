import { type Region, regionsOf, TooMuch } from './part-regions.ts'

/**
 * postal-mime goes through a mail line by line and keeps an object for each: 25 MB of ordinary attachments take it half
 * a second, 25 MB of short lines more than 4 GB. So it is given no long part: the body of one is set aside and decoded
 * here, and a mark stands in its place.
 */
export type ShortenedMail = {
  bytes: Uint8Array
  /** The whole content of a part, where its mark came back; otherwise as it was given. */
  restored(content: Uint8Array): Uint8Array
}

const LONG_BYTES = 50_000
/** Of a text: what is shown in the end is shorter. */
const TEXT_BYTES = 1_500_000
/** All that postal-mime is given of one mail, beside headers and marks. */
const GIVEN_BYTES = 4_000_000
const GIVEN_LINES = 150_000
const MARK = 'postrider-part-'

/** Throws `TooMuch` where the mail has more parts than are read. */
export function shortened(raw: Uint8Array): ShortenedMail {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const setAside: (() => Buffer)[] = []
  const pieces: Buffer[] = []
  const room = { bytes: GIVEN_BYTES, lines: GIVEN_LINES }
  let at = 0
  for (const region of regionsOf(bytes)) {
    const body = bytes.subarray(region.bodyStart, region.end)
    if (isShort(region, body) && takesRoom(body, room)) continue
    if (region.kind === 'multipart') throw new TooMuch('text where only parts are expected')
    pieces.push(bytes.subarray(at, region.bodyStart))
    if (region.kind === 'file') {
      const mark = Buffer.from(`${MARK}${setAside.length}`)
      pieces.push(
        region.encoding === 'base64' ? Buffer.from(mark.toString('base64')) : mark,
        Buffer.from('\n'),
      )
      setAside.push(() => decoded(body, region.encoding))
    } else {
      const text = beginning(body, room)
      takesRoom(text, room)
      pieces.push(text, Buffer.from('\n'))
    }
    at = region.end
  }
  pieces.push(bytes.subarray(at))
  return {
    bytes: pieces.length === 1 ? bytes : Buffer.concat(pieces),
    restored: (content) => setAside[markedPlace(content)]?.() ?? content,
  }
}

/** A multipart of which no boundary was found may be one whose boundary only postal-mime understands. */
const isShort = (region: Region, body: Buffer): boolean =>
  body.length <= (region.kind === 'multipart' ? GIVEN_BYTES : LONG_BYTES)

type Room = { bytes: number; lines: number }

function takesRoom(body: Buffer, room: Room): boolean {
  const lines = linesIn(body)
  if (body.length > room.bytes || lines > room.lines) return false
  room.bytes -= body.length
  room.lines -= lines
  return true
}

function beginning(body: Buffer, room: Room): Buffer {
  let text = body.subarray(0, Math.min(TEXT_BYTES, room.bytes))
  while (linesIn(text) > room.lines) text = text.subarray(0, text.length >> 1)
  return text
}

function linesIn(body: Buffer): number {
  let count = 1
  for (let at = body.indexOf(0x0a); at >= 0; at = body.indexOf(0x0a, at + 1)) count += 1
  return count
}

function markedPlace(content: Uint8Array): number {
  if (content.byteLength > MARK.length + 10) return -1
  const text = Buffer.from(content).toString('latin1').trim()
  const place = text.startsWith(MARK) ? Number(text.slice(MARK.length)) : Number.NaN
  return Number.isInteger(place) ? place : -1
}

function decoded(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return base64Decoded(body.toString('latin1'))
  // The line break before a boundary belongs to the boundary.
  const text = body.toString('latin1').replace(/\r?\n$/, '')
  return Buffer.from(encoding === 'quoted-printable' ? quotedPrintable(text) : text, 'latin1')
}

/** Some mailers end every line with `=`, and go on. */
function base64Decoded(text: string): Buffer {
  const pad = text.indexOf('=')
  if (pad < 0 || /^[=\s]*$/.test(text.slice(pad, pad + 1_000))) return Buffer.from(text, 'base64')
  return Buffer.concat(text.split(/=+/).map((piece) => Buffer.from(piece, 'base64')))
}

const quotedPrintable = (text: string): string =>
  text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
