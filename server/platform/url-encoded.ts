import type { FormPart } from './multipart.ts'

/** Ten times what a mail with many headers makes. */
const PARTS_MAX = 1_000
const NAME_MAX = 1_000
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
      content: () => decode(value),
    })
  }
  return parts
}

/** A percent sign without two digits behind it stands for itself, as everywhere on the web. */
function decode(coded: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(coded.length)
  let length = 0
  for (let at = 0; at < coded.length; at++) {
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
  return decoded.subarray(0, length)
}

function digit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
