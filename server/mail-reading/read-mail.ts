import { storableText } from './clean-text.ts'
import { type MailParts, openParts } from './mail-parts.ts'
import { previewOf } from './preview.ts'
import { type PlainParts, readPlainParts } from './read-plainly.ts'
import type { AttachedFile, ReadMail } from './reading.ts'
import { showHtml } from './show-html.ts'

const TEXT_MAX = 500_000

/**
 * The thorough reading: parts, cleaned HTML, files. Where a mail is beyond the limits, or nothing comes of it, the plain
 * reading stands.
 */
export async function readMail(raw: Uint8Array, plain: ReadMail): Promise<ReadMail> {
  const parts = await openParts(raw).catch(() => null)
  if (!parts || isEmpty(parts)) return plain
  const { text, html } = legible(parts, raw)
  const shown = html === null ? null : showHtml(html, parts.pictures, plain.subject)
  const words = text ?? shown?.text ?? textInFiles(parts.files) ?? ''
  return {
    ...plain,
    text: storable(words),
    html: shown?.html ?? null,
    hasRemoteImages: shown?.hasRemoteImages ?? false,
    preview: previewOf(text ?? shown?.authored ?? words),
    attachments: parts.files.map(({ name, type, bytes }) => ({ name, type, size: bytes.byteLength })),
  }
}

/** The file at this place of `attachments`. */
export async function readAttachment(raw: Uint8Array, index: number): Promise<AttachedFile | null> {
  const parts = await openParts(raw).catch(() => null)
  return parts?.files[index] ?? null
}

const isEmpty = ({ text, html, files }: MailParts): boolean =>
  text === null && html === null && files.length === 0

function storable(words: string): string | null {
  const text = storableText(words, TEXT_MAX)
  return text.trim() === '' ? null : text
}

/** Bytes that are not of the declared characters, and UTF-8 that was taken for something else. */
const ILLEGIBLE = /\ufffd|[ÃÂ][\u0080-\u00bf]|â[\u0080\u20ac]|Ã[\u0192\u201a\u00a0-\u00ff]/

/** Characters that are declared wrongly, or not at all, are found out by the reading by hand. */
function legible(parts: MailParts, raw: Uint8Array): PlainParts {
  if (!ILLEGIBLE.test(parts.text ?? '') && !ILLEGIBLE.test(parts.html ?? '')) return parts
  const byHand = readPlainParts(raw)
  return { text: better(parts.text, byHand.text), html: better(parts.html, byHand.html) }
}

/** By hand only the beginning of a part is read. */
const better = (text: string | null, byHand: string | null): string | null =>
  text !== null && byHand !== null && byHand.length > text.length / 2 && !ILLEGIBLE.test(byHand)
    ? byHand
    : text

/** A mail that has nothing but files: what can be read in the first of them that is text. */
function textInFiles(files: AttachedFile[]): string | null {
  const mail = files.find(({ type }) => type === 'message/rfc822')
  if (mail) return readPlainParts(mail.bytes).text
  const file = files.find(({ type }) => /^(?:text\/(?!calendar|vcard|x-vcard)|message\/)/.test(type))
  return file ? new TextDecoder().decode(file.bytes.subarray(0, TEXT_MAX)) : null
}
