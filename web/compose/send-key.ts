import type { SendEmailRequest } from '../../contract/campaigns.ts'

/**
 * The key of an intended send: the draft it was written in and what it says. Derived, not kept anywhere: a double
 * click, another try after a lost answer, a reload and the same draft in a second tab all arrive at the same key and
 * so at one mail, while a changed letter is another one. After a send the draft has another id, so that sending the
 * same words again on purpose is possible.
 */
export function sendKeyOf(draftId: string, request: SendEmailRequest): string {
  return `${draftId}.${fingerprintOf(JSON.stringify(request))}`
}

/**
 * Tells contents apart, keeps no secret: the server compares whole requests itself and refuses a key that was used for
 * another. (`crypto.subtle` is missing on pages without HTTPS.) Two 32-bit hashes of the FNV family, and the length.
 */
function fingerprintOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x85ebca6b) + at
  }
  return [first, second, text.length].map((part) => (part >>> 0).toString(36)).join('-')
}
