import { setImmediate } from 'node:timers/promises'

export type MailBody = { type: 'text/plain' | 'text/html'; charset: string; content: Buffer }

/** What a provider tells of a mail that it has taken apart itself. */
export type MailPieces = {
  /** As in the mail. Those that say how it is packed are left out: it is packed anew. */
  headers: readonly (readonly [name: string, value: string])[]
  /** From the plainest to the richest. */
  bodies: readonly MailBody[]
  attachments: readonly {
    name: string | null
    type: string | null
    /** Without brackets. */
    contentId: string | null
    content: Buffer | (() => Promise<Buffer>)
  }[]
}

/**
 * The mail put together again, so that it is stored and read like every other. The same pieces make the same bytes: a
 * mail that is brought twice stays one. Others get their turn while it is done.
 */
export async function rebuildMail({ headers, bodies, attachments }: MailPieces): Promise<Buffer> {
  const texts = bodies.map(({ type, charset, content }) =>
    leaf([`Content-Type: ${type}; charset="${CHARSET.test(charset) ? charset : 'utf-8'}"`], content),
  )
  const [text = leaf(['Content-Type: text/plain'], Buffer.alloc(0))] = texts
  const body = texts.length > 1 ? multipart('alternative', texts) : text
  const files: Piece[][] = []
  for (const { name, type, contentId, content } of attachments) {
    const lines = [
      `Content-Type: ${type !== null && TYPE.test(type) ? type : 'application/octet-stream'}`,
      `Content-Disposition: ${contentId === null ? 'attachment' : 'inline'}${fileName(name)}`,
      ...(contentId !== null && CONTENT_ID.test(contentId) ? [`Content-ID: <${contentId}>`] : []),
    ]
    files.push(leaf(lines, Buffer.isBuffer(content) ? content : await content()))
  }
  const whole = files.length === 0 ? body : multipart('mixed', [body, ...files])
  const lines = headers.flatMap(([name, value]) =>
    NAME.test(name) && !PACKING.test(name) ? [`${name}: ${oneLine(value)}\r\n`] : [],
  )
  return written([Buffer.from(`${lines.join('')}MIME-Version: 1.0\r\n`), ...whole])
}

/** How much memory the rebuilt mail takes, at most, by the size of its pieces. */
export const rebuiltSize = (bytes: number): number => Math.ceil(bytes * 1.4) + 500_000

const CHARSET = /^[\w.:+-]{1,40}$/
const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/
const CONTENT_ID = /^[\x21-\x3b=\x3f-\x7e]{1,500}$/
const NAME = /^[\x21-\x39\x3b-\x7e]{1,200}$/
const PACKING = /^(content-[\w-]+|mime-version)$/i

const oneLine = (value: string): string => value.replace(/[\r\n\0]+[ \t]*/g, ' ').trim()

/** A name of other letters than these is written as RFC 2231 says. */
function fileName(name: string | null): string {
  if (name === null || name === '') return ''
  if (/^[ !#-[\]-~]{1,200}$/.test(name)) return `; filename="${name}"`
  const coded = encodeURIComponent(name.slice(0, 200).toWellFormed()).replace(/['()*]/g, percent)
  return `; filename*=UTF-8''${coded}`
}

const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`

/** What is written as it is, or is turned into Base64 when it is written. */
type Piece = Buffer | { base64: Buffer }

/** In Base64 nothing can be mistaken for the line between two parts, so that these may always be the same. */
function multipart(kind: 'mixed' | 'alternative', parts: readonly (readonly Piece[])[]): Piece[] {
  const boundary = `=_postrider_${kind}`
  return [
    Buffer.from(`Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n`),
    ...parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), ...part]),
    Buffer.from(`--${boundary}--\r\n`),
  ]
}

const leaf = (lines: readonly string[], content: Buffer): Piece[] => [
  Buffer.from([...lines, 'Content-Transfer-Encoding: base64', '', ''].join('\r\n')),
  { base64: content },
]

/**
 * Bytes in a line of Base64, and in what is written at a stretch: a large attachment is never there as text as well, and
 * nobody else waits longer than some milliseconds.
 */
const LINE = 57
const STRETCH = LINE * 5_000

async function written(pieces: readonly Piece[]): Promise<Buffer> {
  const mail = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + lengthOf(piece), 0))
  let at = 0
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) at += piece.copy(mail, at)
    else
      for (let from = 0; from < piece.base64.length; from += STRETCH) {
        const text = piece.base64.toString('base64', from, from + STRETCH)
        at += mail.write(text.replace(/.{1,76}/g, '$&\r\n'), at, 'latin1')
        if (from + STRETCH < piece.base64.length) await setImmediate()
      }
  }
  return mail.subarray(0, at)
}

const lengthOf = (piece: Piece): number =>
  Buffer.isBuffer(piece)
    ? piece.length
    : 4 * Math.ceil(piece.base64.length / 3) + 2 * Math.ceil(piece.base64.length / LINE)
