import { readHeaders } from '../bounces/mail-headers.ts'
import { type OpenedMail, openMail } from '../bounces/mime-parts.ts'
import { TEXT_MAX as PART_MAX, textOfHtml, textOfPart } from '../bounces/part-text.ts'
import { textOfMail } from '../bounces/raw-mail.ts'
import { storableText } from './clean-text.ts'
import { bytesAsText } from './header-text.ts'
import { readHead } from './mail-head.ts'
import { previewOf } from './preview.ts'
import type { ReadMail } from './reading.ts'

const TEXT_MAX = 100_000

/**
 * Text and HTML as they were written, taken apart by hand: never fails, and takes a few milliseconds whatever comes.
 * `isCut`: only the beginning of one was read.
 */
export type PlainParts = { text: string | null; html: string | null; isCut: boolean }

/**
 * What can be told of every mail: its headers, and its text without formatting. It stands in for the thorough reading
 * where that fails, or takes too long.
 */
export function readPlainly(raw: Uint8Array, envelopeFrom: string): ReadMail {
  const mail = openMail(textOfMail(raw))
  const { text, html } = partsOf(mail)
  const words = storableText(text ?? (html === null ? '' : plainTextOf(html)), TEXT_MAX)
  return {
    ...readHead(mail.headers, envelopeFrom),
    text: words.trim() === '' ? null : words,
    html: null,
    hasRemoteImages: false,
    preview: previewOf(words),
    attachments: [],
  }
}

/** All that follows the headers, for a mail of which nothing else can be made. */
export function bodyAsItStands(raw: Uint8Array): string {
  const text = textOfMail(raw)
  return bytesAsText(text.slice(readHeaders(text).end).slice(0, TEXT_MAX))
}

export const readPlainParts = (raw: Uint8Array): PlainParts => partsOf(openMail(textOfMail(raw)))

function partsOf(mail: OpenedMail): PlainParts {
  const shown = mail.parts.filter(
    ({ headers }) =>
      !headers.some(({ name, value }) => name === 'content-disposition' && /^\s*attachment/i.test(value)),
  )
  const joined = (type: string): string | null => {
    const texts = shown
      .filter((part) => part.type === type)
      .map((part) => textOfPart({ ...part, type: 'text/plain' }))
    return texts.some((text) => text.trim() !== '') ? texts.join('\n') : null
  }
  const isCut = shown.some(({ type, body }) => type.startsWith('text/') && body.length > PART_MAX)
  return { text: joined('text/plain'), html: joined('text/html'), isCut }
}

/** By leaving out the tags, without looking at how they stand to each other. */
export const plainTextOf = (html: string): string =>
  textOfHtml(html)
    .replace(/\n\s*\n\s*/g, '\n\n')
    .trim()
