import { endOfLine, type Header, headerOf, readContentType, readHeaders } from './mail-headers.ts'

export type Part = {
  /** In small letters; `text/plain` where none is given. */
  type: string
  charset: string
  encoding: string
  headers: Header[]
  /** As it came, not decoded. */
  body: string
  /** The type of the multipart around it, empty at the top. */
  within: string
}

export type OpenedMail = {
  headers: Header[]
  envelopeSender: string | null
  type: string
  /** Of `multipart/report`: what it reports, in small letters. */
  reportType: string
  parts: Part[]
}

/** A report has three parts, with a signed wrapper around it five. */
const PARTS_MAX = 100
const DEPTH_MAX = 8
/** Lines that begin like the boundary and are none. */
const STRANGERS_MAX = 1_000

/** Takes a mail apart to its leaves. A mail inside a mail is a leaf: what is returned must not be mistaken for the report. */
export function openMail(text: string): OpenedMail {
  const { headers, envelopeSender, end } = readHeaders(text)
  const { type, params } = readContentType(headerOf(headers, 'content-type'))
  const parts: Part[] = []
  collect(headers, text.slice(end), '', 0, parts)
  return { headers, envelopeSender, type, reportType: (params.get('report-type') ?? '').toLowerCase(), parts }
}

function collect(headers: Header[], body: string, within: string, depth: number, parts: Part[]): void {
  if (parts.length >= PARTS_MAX) return
  const { type, params } = readContentType(headerOf(headers, 'content-type'))
  const pieces = type.startsWith('multipart/') && depth < DEPTH_MAX ? split(body, params.get('boundary')) : []
  for (const piece of pieces) {
    const inner = readHeaders(piece)
    // A part may begin with a blank line instead of headers; then that line is the end of none.
    const start = piece.startsWith('\n') ? 1 : inner.end
    collect(piece.startsWith('\n') ? [] : inner.headers, piece.slice(start), type, depth + 1, parts)
  }
  if (pieces.length > 0) return
  parts.push({
    type: type.includes('/') && !type.startsWith('multipart/') ? type : 'text/plain',
    charset: params.get('charset') ?? '',
    encoding: headerOf(headers, 'content-transfer-encoding').trim().toLowerCase(),
    headers,
    body,
    within,
  })
}

function split(body: string, declared: string | undefined): string[] {
  const pieces = declared ? between(body, declared) : []
  if (pieces.length > 0) return pieces
  const guessed = guessBoundary(body)
  return guessed ? between(body, guessed) : []
}

function between(body: string, boundary: string): string[] {
  const pieces: string[] = []
  const mark = `--${boundary}`
  let start = -1
  let strangers = 0
  let at = body.startsWith(mark) ? 0 : body.indexOf(`\n${mark}`)
  while (at >= 0 && pieces.length < PARTS_MAX) {
    const markAt = body[at] === '\n' ? at + 1 : at
    const after = markAt + mark.length
    const lineEnd = endOfLine(body, after)
    // A longer boundary that begins like ours belongs to somebody else.
    if (/^(?:--)?\s*$/.test(body.slice(after, Math.min(lineEnd, after + 10)))) {
      if (start >= 0) pieces.push(body.slice(start, at))
      start = body.startsWith('--', after) ? -1 : lineEnd + 1
    } else {
      strangers += 1
      if (strangers > STRANGERS_MAX) break
    }
    at = body.indexOf(`\n${mark}`, lineEnd)
  }
  // Cut off in transit: the last part has no end.
  if (start >= 0 && start < body.length && pieces.length < PARTS_MAX) pieces.push(body.slice(start))
  return pieces
}

/** Declared wrongly or not at all: the first line that looks like a boundary and is followed by a part's header. */
function guessBoundary(body: string): string | null {
  let at = 0
  for (let lines = 0; lines < 200 && at < body.length; lines += 1) {
    const end = endOfLine(body, at)
    const next = body.slice(end + 1, end + 10).toLowerCase()
    if (body.startsWith('--', at) && end - at > 4 && end - at < 200 && next === 'content-t')
      return body.slice(at + 2, end).trimEnd()
    at = end + 1
  }
  return null
}
