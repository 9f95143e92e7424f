import { createHash } from 'node:crypto'
import { type Copy, filledIn, type Letter } from '../provider.ts'
import { encodeBody } from './body-encodings.ts'
import {
  headerKey,
  headerLine,
  isInternational,
  mailboxLine,
  messageIdLine,
  subjectLine,
} from './header-lines.ts'

export { envelopeAddress } from './header-lines.ts'

/** What the server on the other side must be able to do to take a copy as it is. */
type Needs = { eightBit: boolean; smtpUtf8: boolean }

export type CompiledLetter = {
  /**
   * The whole message of one recipient: its lines end in CRLF, a dot at the start of a line is doubled as SMTP wants
   * it, and the final dot is left to the connection. Throws where a part could not be written as what it is meant to be.
   */
  fill(copy: Copy, date: Date): Buffer
  needs(copy: Copy): Needs
}

/** Makes once what all copies of a letter share, so that a copy costs little more than its own few lines. */
export function compileLetter(letter: Letter): CompiledLetter {
  const from = mailboxLine('From', letter.from)
  const replyTo =
    letter.replyTo === null ? '' : mailboxLine('Reply-To', { name: '', address: letter.replyTo })
  const subject = subjectLine(letter.subject)
  const headers = headerLines(letter.headers)
  const body = Buffer.from(dotStuffed(multipart(letter)), 'latin1')
  const marks = placesOf(body, letter.mark)
  const isLetterInternational =
    isInternational(letter.from.address) || (letter.replyTo !== null && isInternational(letter.replyTo))

  return {
    fill(copy, date) {
      const to = mailboxLine('To', copy.to)
      const own = `${messageIdLine(copy.messageId)}Date: ${formattedDate(date)}\r\n`
      const lines = filledIn(merged(headers, copy.headers), letter, copy)
      const answers = filledIn(replyTo, letter, copy)
      return joined(`${from}${to}${answers}${subject}${own}${lines}`, body, marks, copy.token)
    },
    needs(copy) {
      const smtpUtf8 = isLetterInternational || isInternational(copy.to.address)
      // The bodies never need eight bits; an address in UTF-8 among the headers does.
      return { eightBit: smtpUtf8, smtpUtf8 }
    },
  }
}

/** The lines by the key of their name, so that none comes twice. */
function headerLines(headers: Readonly<Record<string, string>>): Map<string, string> {
  const lines = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const key = headerKey(name)
    if (lines.has(key)) throw new Error('A header is given twice')
    lines.set(key, headerLine(name, value))
  }
  return lines
}

/** A copy's own header stands in the place of the letter's. */
function merged(shared: ReadonlyMap<string, string>, own: Readonly<Record<string, string>>): string {
  const lines = headerLines(own)
  let text = ''
  for (const [key, line] of shared) if (!lines.has(key)) text += line
  for (const line of lines.values()) text += line
  return text
}

/** Where the mark stands in the body: all that differs from one copy to the next. */
function placesOf(body: Buffer, mark: string | undefined): number[] {
  const places: number[] = []
  if (mark === undefined) return places
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) places.push(at)
  return places
}

function multipart({ text, html, mark }: Letter): string {
  // The same for the same letter, and in no body: see encodeBody.
  const boundary = `=_${createHash('sha256')
    .update(JSON.stringify([text, html]))
    .digest('hex')
    .slice(0, 32)}`
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative;',
    ` boundary="${boundary}"`,
    '',
    `--${boundary}`,
    bodyPart('text/plain', text, mark),
    `--${boundary}`,
    bodyPart('text/html', html, mark),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

function bodyPart(type: string, text: string, mark: string | undefined): string {
  const { encoding, content } = encodeBody(text, mark)
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}`
}

const dotStuffed = (message: string): string => message.replaceAll('\r\n.', '\r\n..')

let second = Number.NaN
let dateOfSecond = ''

/** Thousands of copies leave within one second. */
function formattedDate(date: Date): string {
  const now = Math.floor(date.getTime() / 1000)
  if (now !== second) {
    dateOfSecond = date.toUTCString().replace('GMT', '+0000')
    second = now
  }
  return dateOfSecond
}

function joined(head: string, body: Buffer, marks: readonly number[], token = ''): Buffer {
  const length = Buffer.byteLength(head)
  const message = Buffer.allocUnsafe(length + body.length)
  message.write(head, 0, length, 'utf8')
  message.set(body, length)
  for (const place of marks) message.write(token, length + place, 'latin1')
  return message
}
