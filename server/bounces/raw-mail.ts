import { withPlainLines } from './mail-headers.ts'

/** Reports stand at the beginning; what follows is the returned mail, as large as its sender liked. */
const HEAD_BYTES = 1_500_000
/** A report behind a large part is looked for this far, by a search that costs a millisecond a megabyte. */
const SEARCH_BYTES = 32_000_000
const REPORT_BYTES = 64_000
const REPORT_TYPES = ['/delivery-status', '/feedback-report']

/**
 * The mail as text, one character a byte, lines ended by `\n`: its beginning, and the report part where that comes
 * later. Decoding waits until a part has said in which characters it is written.
 */
export function textOfMail(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const head = bytes.toString('latin1', 0, HEAD_BYTES)
  const text = bytes.length > HEAD_BYTES ? head + laterReport(bytes) : head
  return withPlainLines(text)
}

function laterReport(bytes: Buffer): string {
  const searched = bytes.subarray(HEAD_BYTES, SEARCH_BYTES)
  for (const type of REPORT_TYPES) {
    const at = searched.indexOf(type)
    if (at < 0) continue
    // From the boundary line on, so that it reads as one more part of the same multipart.
    const boundary = searched.lastIndexOf('\n--', at)
    const start = boundary < 0 || at - boundary > 2_000 ? at : boundary
    return `\n${searched.toString('latin1', start, start + REPORT_BYTES)}`
  }
  return ''
}
