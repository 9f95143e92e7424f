/** One entry of a posted form: a view into what came, or decoded from it when it is asked for. */
export type FormPart = {
  name: string
  /** Null for what is no file. */
  filename: string | null
  /** As it was told, in small letters and without parameters; null where it was not. */
  type: string | null
  /** As it came; decoded it is no longer than this. */
  length: number
  /** All of it. Others get their turn while something large is decoded. */
  content: () => Promise<Buffer>
  /** Its first bytes, at once. */
  start: (bytes: number) => Buffer
}

/** Ten times what a mail with many attachments makes. */
const PARTS_MAX = 1_000
/** The lines above each part; real ones take 200 bytes. */
const HEAD_MAX = 8_192
const LOOKS_MAX = 2 * PARTS_MAX
const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a
const DASH = 0x2d

/**
 * The parts of `multipart/form-data` (RFC 7578), byte for byte; null for whatever is not exactly that, or is cut short.
 * What it costs grows with the size of the body alone: no search goes over the same bytes twice.
 */
export function readMultipart(contentType: string, body: Buffer): FormPart[] | null {
  const boundary = boundaryIn(contentType)
  if (boundary === null) return null
  const delimiters = findDelimiters(body, boundary)
  if (delimiters === null) return null
  const parts: FormPart[] = []
  for (const [index, { end }] of delimiters.entries()) {
    const next = delimiters[index + 1]
    // Behind the last one there is nothing that counts.
    if (!next) break
    const part = readPart(body.subarray(end, Math.max(end, next.start)))
    if (part === null) return null
    parts.push(part)
  }
  return parts
}

/** RFC 2046: up to 70 characters of these, the last of them no space. */
const BOUNDARY =
  /;[ \t]*boundary=(?:"([\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?])"|([\w'+\-.]{1,70}))[ \t]*(?:;|$)/i

function boundaryIn(contentType: string): string | null {
  if (!/^multipart\/form-data[ \t]*;/i.test(contentType) || contentType.length > 1_000) return null
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/** `start` is where the content before it ends, `end` where the next part begins. */
type Delimiter = { start: number; end: number }

/** All of them, up to the one that closes the form; null where that one is missing, or there are far too many. */
function findDelimiters(body: Buffer, boundary: string): Delimiter[] | null {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const found: Delimiter[] = []
  let at = body.indexOf(mark)
  // What only looks like a delimiter counts as well: a body of nothing else must not keep us busy.
  for (let looked = 0; at !== -1 && looked < LOOKS_MAX; looked++) {
    const after = at + mark.length
    const isOwnLine = at === 0 || (body[at - 2] === CR && body[at - 1] === LF)
    const closes = body[after] === DASH && body[after + 1] === DASH
    const end = isOwnLine ? endOfLine(body, closes ? after + 2 : after) : null
    if (end !== null) found.push({ start: at - 2, end })
    if (end !== null && closes) return found.length <= PARTS_MAX + 1 ? found : null
    at = body.indexOf(mark, after)
  }
  return null
}

/** Null when something else than blanks stands in the line, so that it is no delimiter. The body may end with it. */
function endOfLine(body: Buffer, from: number): number | null {
  let at = from
  while (at - from < 100 && (body[at] === 0x20 || body[at] === 0x09)) at++
  if (at >= body.length) return at
  return body[at] === CR && body[at + 1] === LF ? at + 2 : null
}

function readPart(bytes: Buffer): FormPart | null {
  const head = bytes.subarray(0, HEAD_MAX)
  const end = head.indexOf(CRLF + CRLF)
  if (end === -1) return null
  const lines = head.toString('utf8', 0, end).split(CRLF)
  const disposition = headerIn(lines, 'content-disposition')
  if (disposition === null || !/^form-data[ \t]*;/i.test(disposition)) return null
  const name = parameter(disposition, 'name')
  if (name === null) return null
  const content = bytes.subarray(end + 4)
  return {
    name,
    filename: extended(disposition) ?? parameter(disposition, 'filename'),
    type: typeIn(headerIn(lines, 'content-type') ?? ''),
    length: content.length,
    content: async () => content,
    start: (bytes) => content.subarray(0, bytes),
  }
}

/** Of the one line with this name; null where there is none, or more than one. */
function headerIn(lines: readonly string[], name: string): string | null {
  const start = `${name}:`
  const found = lines.filter((line) => line.toLowerCase().startsWith(start))
  return found.length === 1 ? (found[0]?.slice(start.length).trim() ?? null) : null
}

/** Within quotes a backslash stands before a quote, or the quote is written as %22, as browsers do. */
function parameter(disposition: string, name: string): string | null {
  const form = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s";]+))`, 'i')
  const [, quoted, plain] = form.exec(disposition) ?? []
  return quoted?.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plain ?? null
}

/** `filename*=UTF-8''…`, which some write against the standard. */
function extended(disposition: string): string | null {
  const coded = /;[ \t]*filename\*=utf-8'[^']*'([^\s";]+)/i.exec(disposition)?.[1]
  if (coded === undefined) return null
  try {
    return decodeURIComponent(coded)
  } catch {
    return null
  }
}

const typeIn = (value: string): string | null =>
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?=[ \t]*(?:;|$))/.exec(value)?.[0].toLowerCase() ?? null
