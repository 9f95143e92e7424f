import { setImmediate } from 'node:timers/promises'
import type { FormPart } from './multipart.ts'

/** Ten times what a mail with many headers makes. */
const PARTS_MAX = 1_000
const NAME_MAX = 1_000
/** Decoded at a stretch; nobody else waits longer than some milliseconds. */
const STRETCH = 500_000
/** At most, of one byte. */
const CODED = 3
const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20]

/**
 * The entries of `application/x-www-form-urlencoded`; null where there are far too many. Bytes stay bytes: a mail in
 * such a form need not be UTF-8. A value is decoded when it is asked for.
 */
export function readUrlEncoded(body: Buffer): FormPart[] | null {
  const parts: FormPart[] = []
  for (let from = 0, looked = 0; from < body.length; looked++) {
    if (looked >= PARTS_MAX) return null
    const next = body.indexOf(AMPERSAND, from)
    const end = next === -1 ? body.length : next
    const pair = body.subarray(from, end)
    from = end + 1
    const equals = pair.subarray(0, NAME_MAX).indexOf(EQUALS)
    if (equals === -1) continue
    const value = pair.subarray(equals + 1)
    parts.push({
      name: decode(pair.subarray(0, equals)).toString('utf8'),
      filename: null,
      type: null,
      length: value.length,
      content: () => decodeInTurns(value),
      start: (bytes) => decode(value.subarray(0, CODED * bytes)).subarray(0, bytes),
    })
  }
  return parts
}

function decode(coded: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(coded.length)
  const { length } = decodeStretch(coded, { from: 0, to: coded.length }, decoded)
  return decoded.subarray(0, length)
}

async function decodeInTurns(coded: Buffer): Promise<Buffer> {
  const decoded = Buffer.allocUnsafeSlow(coded.length)
  let length = 0
  for (let from = 0; from < coded.length; ) {
    const done = decodeStretch(coded, { from, to: from + STRETCH }, decoded.subarray(length))
    from = done.end
    length += done.length
    if (from < coded.length) await setImmediate()
  }
  return decoded.subarray(0, length)
}

/**
 * A percent sign without two digits behind it stands for itself, as everywhere on the web. What begins within the stretch
 * is decoded whole, so that `end` may lie behind it.
 */
function decodeStretch(
  coded: Buffer,
  { from, to }: { from: number; to: number },
  decoded: Buffer,
): { end: number; length: number } {
  const stop = Math.min(to, coded.length)
  let length = 0
  let at = from
  for (; at < stop; at++) {
    let byte = coded[at] ?? 0
    if (byte === PLUS) byte = SPACE
    else if (byte === PERCENT) {
      const high = digit(coded[at + 1])
      const low = digit(coded[at + 2])
      if (high !== -1 && low !== -1) {
        byte = high * 16 + low
        at += 2
      }
    }
    decoded[length++] = byte
  }
  return { end: at, length }
}

function digit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
