import { decodeWords } from 'postal-mime'

export type Header = {
  /** In small letters. An array of these, never an object: a header may be called `__proto__`. */
  name: string
  value: string
}

type HeaderBlock = {
  headers: Header[]
  /** The sender in the `From ` line of a mailbox file, which some systems keep at the top. */
  envelopeSender: string | null
  /** Where the body begins. */
  end: number
}

/** Ten times what real mail carries; the rest of a block is skipped, not read. */
const HEADERS_MAX = 500
const VALUE_MAX = 8_000
/** Whatever the value holds, also what Unicode takes for the end of a line. */
const FIELD = /^([!-9;-~]{1,100})[ \t]{0,20}:(.*)$/s
const MAILBOX_LINE = /^>?From ([^ ]{0,320}) /

/** With lines ended by `\n`, however they ended: so they are read here. */
export const withPlainLines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Reads headers from `start`: folded in any way, with garbage between them, or none at all. */
export function readHeaders(text: string, start = 0): HeaderBlock {
  const headers: Header[] = []
  let envelopeSender: string | null = null
  let at = skipBlankLines(text, start)
  while (at < text.length) {
    const lineEnd = endOfLine(text, at)
    const line = text.slice(at, Math.min(lineEnd, at + VALUE_MAX))
    if (line.trim() === '') return { headers, envelopeSender, end: lineEnd + 1 }
    const last = headers.at(-1)
    const field = FIELD.exec(line)
    if (/^[ \t]/.test(line) && last) append(last, line)
    else if (field) headers.push({ name: (field[1] ?? '').toLowerCase(), value: (field[2] ?? '').trim() })
    else if (headers.length === 0 && MAILBOX_LINE.test(line))
      envelopeSender = MAILBOX_LINE.exec(line)?.[1] ?? null
    else if (last && headersGoOn(text, lineEnd + 1)) append(last, line)
    else return { headers, envelopeSender, end: at }
    at = lineEnd + 1
    if (headers.length >= HEADERS_MAX) return { headers, envelopeSender, end: afterBlankLine(text, at) }
  }
  return { headers, envelopeSender, end: text.length }
}

/** The value of the first header of this name; empty where there is none. */
export function headerOf(headers: Header[], name: string): string {
  return headers.find((header) => header.name === name)?.value ?? ''
}

export const hasHeader = (headers: Header[], name: string): boolean =>
  headers.some((header) => header.name === name)

/** With encoded words (RFC 2047) decoded, for reading. */
export function readable(value: string): string {
  return value.includes('=?') ? decodeWords(value.slice(0, 2_000)) : value
}

type ContentType = { type: string; params: Map<string, string> }

const PARAMETER = /;[ \t]{0,100}([\w.*-]{1,60})[ \t]{0,20}=[ \t]{0,20}(?:"([^"]{0,500})"|([^;" \t]{1,500}))/g

export function readContentType(value: string): ContentType {
  const text = value.slice(0, 2_000)
  const params = new Map<string, string>()
  for (const [, name, quoted, bare] of text.matchAll(PARAMETER))
    params.set((name ?? '').toLowerCase(), quoted ?? bare ?? '')
  return { type: (text.split(';', 1)[0] ?? '').trim().toLowerCase(), params }
}

function append(header: Header, line: string): void {
  if (header.value.length < VALUE_MAX) header.value += ` ${line.trim()}`
}

/** A line that is no header, between headers: somebody folded without the blank that folding needs. */
function headersGoOn(text: string, at: number): boolean {
  const line = text.slice(at, Math.min(endOfLine(text, at), at + 200))
  return /^[A-Za-z][\w-]{2,40}: /.test(line)
}

function skipBlankLines(text: string, start: number): number {
  let at = start
  while (text[at] === '\n') at += 1
  return at
}

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function afterBlankLine(text: string, at: number): number {
  const blank = text.indexOf('\n\n', at)
  return blank < 0 ? text.length : blank + 2
}
