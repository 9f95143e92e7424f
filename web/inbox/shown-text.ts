/*
 * Strangers choose these words. Characters that nobody sees can turn letters around or hide among them, so that a name
 * or an address looks like another one: they are left out before anything is shown. React makes text nodes of the rest.
 */

/** Turn the direction of what follows, invisibly: marks, embeddings, overrides, isolates. */
const TURNING = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
/** Take no room: soft hyphens, spaces without width, fillers, tags. */
const INVISIBLE =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}'

const IN_A_LINE = new RegExp(`[${TURNING}${INVISIBLE}]`, 'gu')
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu
/** Joiners belong into emoji and into the scripts that join letters; between other characters they only hide. */
const STRAY_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Arabic}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])/gu

/** One line of somebody else's words: a name, a subject, a file name. */
export const shownLine = (text: string): string =>
  text.replace(BREAKS, ' ').replace(IN_A_LINE, '').replace(STRAY_JOINER, '').replace(/\s+/g, ' ').trim()

const IN_A_TEXT = new RegExp(`[\\u202a-\\u202e\\u2066-\\u2069${INVISIBLE}]|(?![\\n\\t])\\p{Cc}`, 'gu')

/** A text of several lines; marks of direction stay, for languages written from the right need them. */
export const shownText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(IN_A_TEXT, '')

const NO_SUBJECT = 'No subject'
export const shownSubject = (subject: string): string => shownLine(subject) || NO_SUBJECT

/** Ours carry what tells which mail is answered; that is for machines. */
const REPLY_TOKEN = /\+[\w-]{48}(?=@)/

export const shownRecipient = (address: string): string => shownLine(address).replace(REPLY_TOKEN, '')

type Sender = { name: string; email: string }

const UNKNOWN = 'Unknown sender'

/** Name or, without one, the address. */
export const senderName = ({ name, email }: Sender): string => shownLine(name) || shownLine(email) || UNKNOWN

/** The address where it stands beside the name; null where it would only say the same again. */
export function senderAddress({ name, email }: Sender): string | null {
  const address = shownLine(email)
  return address === '' || shownLine(name) === '' || shownLine(name) === address ? null : address
}
