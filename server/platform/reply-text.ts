/** What every answer to a mail has in common, whoever writes it: its subject, its quotation, its place in a thread. */

type QuotedMail = {
  author: { name: string; address: string }
  writtenAt: Date
  text: string
}

/** As mail programs of many languages write it, also counted: `Re[2]:`, `AW (3):`. */
const REPLY_SIGN =
  /^(?:re|aw|antw|antwort|sv|vs|odp|rif|res|ynt|atb|回复|回覆|答复|答覆|返信|회신)\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4})?\s*[:：]\s*/i
const SUBJECT_MAX = 400

/** Says once that it is an answer. */
export function replySubject(subject: string): string {
  const line = oneLine(subject, SUBJECT_MAX)
  const sign = REPLY_SIGN.exec(line)?.[0] ?? ''
  let rest = line.slice(sign.length)
  for (let more = REPLY_SIGN.exec(rest); more; more = REPLY_SIGN.exec(rest)) rest = rest.slice(more[0].length)
  return `${sign.trim() || 'Re:'} ${rest}`.trim()
}

const REFERENCES_MAX = 20
const MESSAGE_ID_MAX = 250
const MESSAGE_ID = /^<[!-;=?-~]+@[!-;=?-~]+>$/
/** Signs of an encoded word and of a template: somebody on the way could read more into them than an id. */
const AMBIGUOUS = /=\?|\{\{/

/** An id that may stand in a header of ours, just as somebody else has written it. */
const isSoundId = (id: string): boolean =>
  id.length <= MESSAGE_ID_MAX && MESSAGE_ID.test(id) && !AMBIGUOUS.test(id)

type Threading = { inReplyTo: string | null; references: string | null }

/** RFC 5322, 3.6.4: the answered mail, and before it those that it answers itself, nearest last. */
export function threadingOf(messageId: string, answeredIds: readonly string[]): Threading {
  const ids = [...new Set([...answeredIds.filter((id) => id !== messageId), messageId].filter(isSoundId))]
  return {
    inReplyTo: isSoundId(messageId) ? messageId : null,
    references: ids.length > 0 ? ids.slice(-REFERENCES_MAX).join(' ') : null,
  }
}

/** Some ten pages. Who wrote more than that knows what it was. */
const QUOTE_MAX = 20_000
const NAME_MAX = 100
const ADDRESS_MAX = 254

/** The answer, and below it what it answers. `atMost` is the room that both have together. */
export function withQuote(answer: string, mail: QuotedMail, atMost: number): string {
  const own = answer.trimEnd()
  const name = oneLine(mail.author.name, NAME_MAX)
  const address = oneLine(mail.author.address, ADDRESS_MAX)
  const opening = `On ${dateOf(mail.writtenAt)}, ${name === '' ? address : `${name} <${address}>`} wrote:`
  const quote = quoted(mail.text, Math.min(QUOTE_MAX, atMost - own.length - opening.length - 4))
  return quote === '' ? `${own}\n` : `${own}\n\n${opening}\n${quote}\n`
}

const dateOf = (date: Date): string => {
  const [day, time] = date.toUTCString().split(/ (?=\d\d:)/)
  return `${day} at ${time?.slice(0, 5)} UTC`
}

const CUT = '> […]'
/** With less room than this a quotation says nothing. */
const QUOTE_MIN = 100

function quoted(text: string, room: number): string {
  if (text.trim() === '' || room < QUOTE_MIN) return ''
  const lines: string[] = []
  let left = room - CUT.length - 1
  for (const line of text.trim().split(/\r\n|\r|\n/)) {
    const end = line.trimEnd()
    // What was quoted before gets one more sign, and no space between the signs.
    const marked = end === '' ? '>' : end.startsWith('>') ? `>${end}` : `> ${end}`
    if (marked.length >= left) {
      const piece = marked.slice(0, Math.max(0, left - 1)).replace(/[\ud800-\udbff]$/, '')
      return [...lines, ...(piece.length > 2 ? [piece] : []), CUT].join('\n')
    }
    left -= marked.length + 1
    lines.push(marked)
  }
  return lines.join('\n')
}

/** Without what could break the line, or turn the direction of what follows. */
const oneLine = (text: string, most: number): string =>
  [
    ...text
      .replace(/[\s\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
      .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .trim(),
  ]
    .slice(0, most)
    .join('')
    .trim()
