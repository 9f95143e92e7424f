import { storableText } from './clean-text.ts'
import { type MailFile, type MailParts, openParts } from './mail-parts.ts'
import { previewOf } from './preview.ts'
import { bodyAsItStands, type PlainParts, readPlainParts } from './read-plainly.ts'
import type { AttachedFile, ReadMail } from './reading.ts'
import { showHtml } from './show-html.ts'

const TEXT_MAX = 500_000

/**
 * The thorough reading: parts, cleaned HTML, files. Where a mail is beyond the limits, or nothing comes of it, the plain
 * reading stands.
 */
export async function readMail(raw: Uint8Array, plain: ReadMail): Promise<ReadMail> {
  const parts = await openParts(raw).catch(() => null)
  if (!parts) return { ...plain, isPartial: true }
  const { text, html, isCut } = legible(parts, raw)
  const shown = html === null ? null : showHtml(html, parts.pictures, plain.subject)
  const isTooLong = !shown?.html && (text ?? shown?.text ?? '').length > TEXT_MAX
  const isPartial = parts.hasMoreFiles || isCut || isTooLong || shown?.isCut
  const listed = {
    attachments: parts.files.map(({ name, type, bytes }) => ({ name, type, size: bytes.byteLength })),
    ...(isPartial ? { isPartial } : {}),
  }
  const words = storable(text ?? shown?.text ?? '')
  if (words === null && !shown?.html) return { ...plain, ...otherWords(plain, parts, raw), ...listed }
  return {
    ...plain,
    text: words,
    html: shown?.html ?? null,
    hasRemoteImages: shown?.hasRemoteImages ?? false,
    ...(text !== null && shown ? { htmlWords: storable(shown.text) ?? '' } : {}),
    preview: previewOf(text ?? shown?.authored ?? ''),
    ...listed,
  }
}

/** The file at this place of `attachments`. */
export async function readAttachment(raw: Uint8Array, index: number): Promise<AttachedFile | null> {
  const parts = await openParts(raw).catch(() => null)
  const file = parts?.files[index]
  return file ? { name: file.name, type: file.type, bytes: file.bytes } : null
}

function storable(words: string): string | null {
  const text = storableText(words, TEXT_MAX)
  return text.trim() === '' ? null : text
}

/** Bytes that are not of the declared characters, UTF-8 that was taken for something else, and what nobody writes. */
const ILLEGIBLE =
  /\ufffd|[ÃÂ][\u0080-\u00bf]|â[\u0080\u20ac]|Ã[\u0192\u201a\u00a0-\u00ff]|(?![\r\n\t])\p{Cc}/gu

const illegibleIn = (text: string | null): number =>
  Array.from((text ?? '').slice(0, 50_000).matchAll(ILLEGIBLE)).length

/** Characters that are declared wrongly, or not at all, are found out by the reading by hand. */
function legible(parts: MailParts, raw: Uint8Array): PlainParts {
  if (illegibleIn(parts.text) === 0 && illegibleIn(parts.html) === 0) return parts
  const byHand = readPlainParts(raw)
  const [text, html] = [better(parts.text, byHand.text), better(parts.html, byHand.html)]
  const isByHand = text !== parts.text || html !== parts.html
  return { text, html, isCut: parts.isCut || (isByHand && byHand.isCut) }
}

/** By hand only the beginning of a part is read. */
function better(text: string | null, byHand: string | null): string | null {
  if (text === null || byHand === null || byHand.length < text.length / 2) return text
  return illegibleIn(byHand) < illegibleIn(text) / 2 ? byHand : text
}

/** A mail without a text: what else can be read in it. Nothing of files that have a name: they are meant to be files. */
function otherWords(plain: ReadMail, parts: MailParts, raw: Uint8Array): Pick<ReadMail, 'text' | 'preview'> {
  if (plain.text !== null) return plain
  const isNothing = parts.html === null && parts.files.length === 0
  const words = storable(isNothing ? bodyAsItStands(raw) : textInFiles(parts.files))
  return { text: words, preview: previewOf(words ?? '') }
}

function textInFiles(files: MailFile[]): string {
  const file = files.find(({ isNamed, bytes }) => !isNamed && isReadable(bytes))
  if (!file) return ''
  const inMail = file.type === 'message/rfc822' ? readPlainParts(file.bytes).text : null
  return inMail ?? Buffer.from(file.bytes.subarray(0, TEXT_MAX)).toString()
}

function isReadable(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, 2_000)
  const strange = beginning.filter(
    (byte) => byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d),
  )
  return strange.length < beginning.length / 20
}
