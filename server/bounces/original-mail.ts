import { findAddresses } from './addresses.ts'
import { type Header, headerOf, readHeaders } from './mail-headers.ts'
import type { OpenedMail, Part } from './mime-parts.ts'
import { textOfPart } from './part-text.ts'

/** Headers of the mail that a report is about; more of it is nobody's business here. */
const RETURNED_BYTES = 100_000
const RECIPIENTS_MAX = 100

export const isReturned = (part: Part): boolean =>
  part.type.includes('rfc822') || /^message\/(?:global|global-headers|partial|news)$/.test(part.type)

export function returnedHeaders(part: Part | undefined): Header[] {
  if (!part) return []
  return readHeaders(textOfPart({ ...part, type: 'text/plain', body: part.body.slice(0, RETURNED_BYTES) }))
    .headers
}

/** Whom it was written to: a guide among several addresses of a notice, and the last resort where it names none. */
export function writtenTo(headers: Header[]): string[] {
  const fields = [
    'x-original-to',
    'delivered-to',
    'envelope-to',
    'x-envelope-to',
    'to',
    'cc',
    'bcc',
    'resent-to',
  ]
  const found = fields.flatMap((name) => findAddresses(headerOf(headers, name)).map(({ address }) => address))
  return found.slice(0, RECIPIENTS_MAX)
}

const MESSAGE_ID = /<([^<>\s]{1,500}@[^<>\s]{1,255})>/

/** The returned headers say it; else a line of the notice; else what the report answers to. */
export function originalMessageId(mail: OpenedMail, returned: Header[], text: string): string | null {
  const line =
    /^[ \t>]{0,20}(?:x-)?(?:original[ -])?message-?id[ \t]{0,10}:[ \t]{0,10}(<[^<>\s]{1,750}>)/im.exec(text)
  const places = [
    headerOf(returned, 'message-id'),
    line?.[1] ?? '',
    headerOf(mail.headers, 'x-original-message-id'),
    headerOf(mail.headers, 'in-reply-to'),
    headerOf(mail.headers, 'references'),
  ]
  for (const place of places) {
    const id = MESSAGE_ID.exec(place.slice(0, 2_000))?.[1]
    if (id) return `<${id}>`
  }
  return null
}
