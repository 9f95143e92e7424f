import PostalMime, { type Attachment } from 'postal-mime'
import { fileName, fileType } from './attached-file.ts'
import { unflowed } from './flowed-text.ts'
import { shortened } from './long-parts.ts'
import { contentId, PICTURES_MAX_BYTES, pictureType } from './pictures.ts'
import type { AttachedFile } from './reading.ts'

export type MailParts = {
  /** As they were written; null where the mail has none. */
  text: string | null
  html: string | null
  /** Pictures that the HTML shows, by their Content-ID. */
  pictures: Map<string, Uint8Array>
  /** Everything else, in the order of the mail. */
  files: MailFile[]
  /** Of very many files only the first are in `files`. */
  hasMoreFiles: boolean
  /** A text was longer than is read. */
  isCut: boolean
}

/** Without a name of its own it may be a text whose type was damaged. */
export type MailFile = AttachedFile & { isNamed: boolean }

const FILES_MAX = 200

type FlowingNode = { decodeFlowedText: typeof unflowed }
type Collect = (this: PostalMime, node: FlowingNode, ...place: unknown[]) => Promise<void>
/** It has the step that collects the texts of all parts, but does not name it among its types. */
const { collectNode } = PostalMime.prototype as unknown as { collectNode: Collect }

/** postal-mime joins lines of a flowing text whoever wrote them, so that an answer runs into the words it answers. */
class MailParser extends PostalMime {
  collectNode(node: FlowingNode, ...place: unknown[]): Promise<void> {
    node.decodeFlowedText = unflowed
    return collectNode.call(this, node, ...place)
  }
}

/** Takes a mail apart. Throws where it is beyond the limits, or broken beyond what the parser forgives. */
export async function openParts(raw: Uint8Array): Promise<MailParts> {
  const short = shortened(raw)
  const mail = await new MailParser({
    // What somebody passes on is a file: its text is not what the sender wrote.
    forceRfc822Attachments: true,
    maxNestingDepth: 30,
    maxHeadersSize: 300_000,
  }).parse(short.bytes)
  const attachments = mail.attachments.map((attachment) => ({
    attachment,
    bytes: short.restored(bytesOf(attachment)),
  }))
  const pictures = shownPictures(mail.html ?? '', attachments)
  const shown = new Set(pictures.values())
  const others = attachments.filter(({ bytes }) => !shown.has(bytes))
  const files = others.slice(0, FILES_MAX).map(({ attachment, bytes }, place): MailFile => {
    const { filename, mimeType, disposition } = attachment
    const type = fileType(mimeType)
    const isNamed = filename !== null || disposition === 'attachment'
    return { name: fileName(filename, type, place), type, bytes, isNamed }
  })
  const hasMoreFiles = others.length > files.length
  const texts = { text: filled(mail.text), html: filled(mail.html) }
  return { ...texts, pictures, files, hasMoreFiles, isCut: short.isCut }
}

type Opened = { attachment: Attachment; bytes: Uint8Array }

/** Those that fit: a picture that cannot be shown in its place is listed with the files. */
function shownPictures(html: string, attachments: Opened[]): Map<string, Uint8Array> {
  const wanted = new Set(
    Array.from(html.matchAll(/\bcid:([^"'\s<>)]{1,300})/gi), ([, id = '']) => contentId(id)),
  )
  const pictures = new Map<string, Uint8Array>()
  let left = PICTURES_MAX_BYTES
  for (const { attachment, bytes } of attachments) {
    const id = contentId(attachment.contentId ?? '')
    if (
      id === '' ||
      !wanted.has(id) ||
      pictures.has(id) ||
      bytes.byteLength > left ||
      pictureType(bytes) === null
    )
      continue
    left -= bytes.byteLength
    pictures.set(id, bytes)
  }
  return pictures
}

const filled = (text: string | undefined): string | null => (text?.trim() ? text : null)

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
