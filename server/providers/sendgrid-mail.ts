import { inGroups } from './groups.ts'
import { encodedWords } from './mime/encoded-words.ts'
import { envelopeAddress } from './mime/header-lines.ts'
import {
  type Copy,
  commonReplyTo,
  type Letter,
  type Mailbox,
  markedHeaders,
  plainHeaders,
  tagOf,
} from './provider.ts'

/** A mail in SendGrid's words: one letter for the whole call, and a personalization for each recipient. */

/** A recipient's own part of a call, and where it stands among all copies that were handed over. */
export type OwnPart = { place: number; json: string }

/** The most recipients that SendGrid takes in one call. */
export const RECIPIENTS_MAX = 1000
/** SendGrid takes less than 30 MB in a call; how it counts is its own affair, so we stay well below. */
const BODY_MAX = 20_000_000
/** Beside a letter that fills a call by itself; if that is too much, SendGrid says so. */
const OWN_PARTS_MIN = 1_000_000

/**
 * Postrider tracks by itself and writes its own unsubscribe links: whatever the account's settings say, SendGrid must
 * not change links, add pixels or put a footer under the letter.
 */
const NO_TRACKING = {
  click_tracking: { enable: false, enable_text: false },
  open_tracking: { enable: false },
  subscription_tracking: { enable: false },
  ganalytics: { enable: false },
}

/** What all recipients of a call share, without the brace that opens it. */
export function letterPart(letter: Letter, copies: readonly Copy[]): string {
  const replyTo = commonReplyTo(letter, copies)
  return JSON.stringify({
    from: mailbox(letter.from, letter.from.name),
    ...(replyTo === null ? {} : { reply_to: { email: envelopeAddress(replyTo) } }),
    subject: letter.subject,
    content: contentOf(letter),
    ...headersPart(plainHeaders(letter)),
    tracking_settings: NO_TRACKING,
  }).slice(1)
}

/**
 * SendGrid refuses a part without a single character, and a mail without any part. An empty part is left out; of a
 * letter that says nothing at all a space remains, so that it arrives as what it is. Text has to stand before HTML.
 */
function contentOf({ text, html }: Letter): { type: string; value: string }[] {
  const parts = [
    { type: 'text/plain', value: text },
    { type: 'text/html', value: html },
  ].filter(({ value }) => value !== '')
  return parts.length > 0 ? parts : [{ type: 'text/plain', value: ' ' }]
}

/**
 * The recipient alone, so that nobody sees another's address. The tag comes back with every event, also with those
 * that carry no id. The Message-ID is left to SendGrid: nothing says that it keeps one that it is given.
 */
export function ownPart(letter: Letter, copy: Copy): string {
  const tag = tagOf(copy)
  return JSON.stringify({
    to: [mailbox(copy.to, withoutSeparators(copy.to.name))],
    ...headersPart({ ...markedHeaders(letter, copy), ...copy.headers }),
    // SendGrid writes the one over the other wherever it stands in the letter.
    ...(letter.mark === undefined ? {} : { substitutions: { [letter.mark]: copy.token } }),
    ...(tag === '' ? {} : { custom_args: { mid: tag } }),
  })
}

const mailbox = ({ address }: Mailbox, name: string): { email: string; name?: string } => ({
  email: envelopeAddress(address),
  ...(name === '' ? {} : { name }),
})

/**
 * SendGrid refuses recipients whose name holds a comma or a semicolon. A mail to "Hara, Ann" goes to "Hara Ann" rather
 * than nowhere: the address is what counts.
 */
const withoutSeparators = (name: string): string =>
  /[,;]/.test(name)
    ? name
        .replace(/[,;]+/g, ' ')
        .replace(/\s{2,}/g, ' ')
        .trim()
    : name

function headersPart(headers: Letter['headers']): { headers?: Record<string, string> } {
  const entries = Object.entries(headers)
  if (entries.length === 0) return {}
  return { headers: Object.fromEntries(entries.map(([name, value]) => [name, headerText(name, value)])) }
}

/** SendGrid copies a header as it is given: what is not ASCII has to be encoded before. */
const headerText = (name: string, value: string): string =>
  /^[ -~]*$/.test(value) ? value : encodedWords(value, name.length + 2).join(' ')

/** As few calls as SendGrid allows, none of them too long for it. */
export const groupsOf = (parts: readonly OwnPart[], letter: string): OwnPart[][] =>
  inGroups(parts, {
    most: RECIPIENTS_MAX,
    room: Math.max(BODY_MAX - Buffer.byteLength(letter), OWN_PARTS_MIN),
    sizeOf: ({ json }) => Buffer.byteLength(json) + 1,
  })

export const callBody = (group: readonly OwnPart[], letter: string): string =>
  `{"personalizations":[${group.map(({ json }) => json).join()}],${letter}`
