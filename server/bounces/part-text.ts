import { withPlainLines } from './mail-headers.ts'
import type { Part } from './mime-parts.ts'

/** Notices are short; whoever writes more than this has not written a notice. */
export const TEXT_MAX = 100_000

/** Names of charsets that mail uses and the Encoding Standard does not know. */
const CHARSETS = new Map([
  ['cp932', 'shift_jis'],
  ['shiftjis', 'shift_jis'],
  ['iso-2022-jp-ms', 'iso-2022-jp'],
  ['iso-2022-jp-1', 'iso-2022-jp'],
  ['iso-2022-jp-2', 'iso-2022-jp'],
  ['eucjp', 'euc-jp'],
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['hz-gb-2312', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['cp866', 'ibm866'],
])
/** Said where nothing is known; then the bytes speak for themselves. */
const NO_CHARSET = /^(?:|us-ascii|ascii|unknown.*|x-unknown|default.*|8bit|7bit|binary|ansi.*)$/

export function textOfPart(part: Part): string {
  const body = part.body.slice(0, TEXT_MAX)
  const bytes = transferDecoded(body, part.encoding)
  // What was coded has lines of its own.
  const text = withPlainLines(decoded(bytes, part.charset.trim().toLowerCase()))
  return part.type === 'text/html' ? textOfHtml(text) : text
}

function transferDecoded(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding === 'quoted-printable') return Buffer.from(quotedPrintable(body), 'latin1')
  return Buffer.from(body, 'latin1')
}

const quotedPrintable = (body: string): string =>
  body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function decoded(bytes: Buffer, charset: string): string {
  if (bytes.includes('\x1b$')) return decodeAs('iso-2022-jp', bytes) ?? bytes.toString('latin1')
  const declared = NO_CHARSET.test(charset) ? 'utf-8' : (CHARSETS.get(charset) ?? charset)
  return decodeAs(declared, bytes) ?? decodeAs('utf-8', bytes) ?? guessed(bytes)
}

/**
 * Undeclared and not UTF-8. Most bytes of Japanese text in Shift_JIS or EUC are no valid text of the other, so whichever
 * decodes without a fault and gives kana is right; what is left is Western.
 */
function guessed(bytes: Buffer): string {
  for (const charset of ['euc-jp', 'shift_jis']) {
    const text = decodeAs(charset, bytes)
    if (text !== null && /[\u3040-\u30ff]{2}/.test(text)) return text
  }
  return bytes.toString('latin1')
}

/** Null where the charset is unknown, or where the bytes are none of it. */
function decodeAs(charset: string, bytes: Buffer): string | null {
  try {
    // A declared charset is trusted through some broken bytes, except UTF-8, which so many declare without asking.
    return new TextDecoder(charset, {
      fatal: charset === 'utf-8' || charset === 'euc-jp' || charset === 'shift_jis',
    }).decode(bytes)
  } catch {
    return null
  }
}

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['eacute', 'é'],
  ['egrave', 'è'],
  ['agrave', 'à'],
  ['uuml', 'ü'],
  ['ouml', 'ö'],
  ['auml', 'ä'],
  ['oacute', 'ó'],
  ['iacute', 'í'],
  ['aacute', 'á'],
  ['ntilde', 'ñ'],
  ['ccedil', 'ç'],
  ['atilde', 'ã'],
])
const BREAKING_TAG = /^\/?(?:p|br|div|tr|td|th|table|li|ul|ol|h\d|hr|blockquote|pre|body|html)\b/i
const HIDDEN_TAG = /^(?:style|script|title)\b/i

/** Only what a reader sees, a line for each block. One pass: every character is looked at once. */
export function textOfHtml(html: string): string {
  const pieces: string[] = []
  const small = html.toLowerCase()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    pieces.push(html.slice(at, open))
    const close = html.indexOf('>', open)
    if (close < 0) return entitiesDecoded(pieces.join(''))
    const tag = html.slice(open + 1, Math.min(close, open + 20))
    if (BREAKING_TAG.test(tag)) pieces.push('\n')
    at = close + 1
    const hidden = HIDDEN_TAG.exec(tag)
    if (hidden) {
      const end = small.indexOf(`</${hidden[0].toLowerCase()}`, at)
      at = end < 0 ? html.length : end
    }
  }
  pieces.push(html.slice(at))
  return entitiesDecoded(pieces.join(''))
}

function entitiesDecoded(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES.get(name.toLowerCase()) ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
}
