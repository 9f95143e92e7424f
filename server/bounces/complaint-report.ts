import { firstAddress } from './addresses.ts'
import { type Header, headerOf } from './mail-headers.ts'
import type { OpenedMail } from './mime-parts.ts'
import { isReturned, originalMessageId, returnedHeaders, writtenTo } from './original-mail.ts'
import { textOfPart } from './part-text.ts'
import { type BounceReading, NOTHING } from './reading.ts'

/** RFC 5965 and its registry: what a person meant who pressed "spam". Others are praise (not-spam) or about forgeries. */
const COMPLAINTS = new Map([
  ['abuse', 'The recipient reported the mail as spam'],
  ['fraud', 'The recipient reported the mail as fraud'],
  ['virus', 'The mail was reported as carrying a virus'],
  ['opt-out', 'The recipient asked for no more mail'],
  ['opt-out-list', 'The recipient asked for no more mail'],
  ['miscategorized', 'The recipient reported the mail as spam'],
  ['other', 'The recipient complained of the mail'],
])

/** Providers blacken the address of the one who complains; a made-up address would look like somebody. */
const REDACTED = /redacted|^(?:undisclosed|unknown|hidden|x+|\*+)@/i

/** Null unless the mail is a feedback report of any kind. */
export function readComplaint(mail: OpenedMail): BounceReading | null {
  const part = mail.parts.find(({ type }) => type.includes('feedback-report'))
  if (!part) return readUntypedComplaint(mail)
  const fields = fieldsOf(textOfPart({ ...part, type: 'text/plain' }))
  const feedbackType = headerOf(fields, 'feedback-type').trim().toLowerCase() || null
  if (!feedbackType) return null
  const reason = COMPLAINTS.get(feedbackType)
  const returned = returnedHeaders(mail.parts.find(isReturned))
  const mailFrom = headerOf(fields, 'original-mail-from')
  const original = { messageId: originalMessageId(mail, returned, ''), headers: returned, mailFrom }
  if (!reason) return { ...NOTHING, feedbackType, original }
  return complaint(reason, feedbackType, complainants(fields, returned), original)
}

/** Hotmail's and a few other loops send the returned mail with one line of text and no report part. */
function readUntypedComplaint(mail: OpenedMail): BounceReading | null {
  const part = mail.parts.find(isReturned)
  const subject = headerOf(mail.headers, 'subject').toLowerCase()
  if (!part || !subject.startsWith('complaint about message from')) return null
  const returned = returnedHeaders(part)
  const hidden = firstAddress(headerOf(returned, 'x-hmxmroriginalrecipient'))
  return complaint(COMPLAINTS.get('abuse') ?? '', 'abuse', hidden ? [hidden] : writtenTo(returned), {
    messageId: originalMessageId(mail, returned, ''),
    headers: returned,
  })
}

export function complaint(
  reason: string,
  feedbackType: string,
  addresses: string[],
  original: BounceReading['original'],
): BounceReading {
  const recipients = addresses.map((address) => ({
    address,
    originalAddress: null,
    kind: 'complaint' as const,
    action: null,
    status: null,
    cause: null,
    diagnostic: null,
    reason,
  }))
  return {
    ...NOTHING,
    kind: 'complaint',
    recipient: addresses[0] ?? null,
    reason,
    recipients,
    feedbackType,
    original,
  }
}

function complainants(fields: Header[], returned: Header[]): string[] {
  const reported = fields
    .filter(
      ({ name }) =>
        name === 'original-rcpt-to' || name === 'removal-recipient' || name === 'redacted-address',
    )
    .map(({ value }) => firstAddress(value))
    .filter((address) => address !== null)
  const known = reported.filter((address) => !REDACTED.test(address))
  const addresses =
    known.length > 0 ? known : writtenTo(returned).filter((address) => !REDACTED.test(address))
  return [...new Set(addresses)].slice(0, 100)
}

const FIELD = /^([A-Za-z][\w-]{1,60})[ \t]{0,10}:(.{0,2000})$/

/** Field by field, blank lines or not: some loops put one after the first field. */
function fieldsOf(text: string): Header[] {
  const fields: Header[] = []
  for (const line of text.split('\n', 500)) {
    const field = FIELD.exec(line.slice(0, 2_000))
    const last = fields.at(-1)
    if (field) fields.push({ name: (field[1] ?? '').toLowerCase(), value: (field[2] ?? '').trim() })
    else if (last && /^[ \t]/.test(line)) last.value += ` ${line.trim().slice(0, 500)}`
  }
  return fields
}
