import { firstAddress } from './addresses.ts'
import { classify } from './classify.ts'
import { complaint } from './complaint-report.ts'
import { headerOf } from './mail-headers.ts'
import type { OpenedMail } from './mime-parts.ts'
import { textOfPart } from './part-text.ts'
import { type BounceReading, NOTHING, type ReportedRecipient } from './reading.ts'

const RECIPIENTS_MAX = 50

/** Amazon SES tells of bounces and complaints through SNS, which can be subscribed by mail: then a mail carries JSON. */
export function readSnsNotification(mail: OpenedMail): BounceReading | null {
  if (!headerOf(mail.headers, 'from').toLowerCase().includes('@sns.amazonaws.com')) return null
  const part = mail.parts.find(({ type }) => type.startsWith('text/plain'))
  const told = fields(part ? parsed(textOfPart(part)) : null)
  const messageId = text(fields(fields(told['mail'])['commonHeaders'])['messageId'])
  const original = { messageId, headers: [] }
  const type = text(told['notificationType'] ?? told['eventType'])
  if (type === 'Complaint') {
    const addresses = list(fields(told['complaint'])['complainedRecipients']).map(addressOf)
    return complaint(
      'The recipient reported the mail as spam',
      text(fields(told['complaint'])['complaintFeedbackType']) ?? 'abuse',
      addresses.filter((address) => address !== null),
      original,
    )
  }
  if (type !== 'Bounce') return null
  const bounce = fields(told['bounce'])
  const recipients = list(bounce['bouncedRecipients']).flatMap((one) => bounced(one, bounce))
  const [first] = recipients
  return first ? { ...NOTHING, ...first, recipient: first.address, recipients, original } : null
}

function bounced(recipient: unknown, bounce: Record<string, unknown>): ReportedRecipient[] {
  const address = addressOf(recipient)
  if (!address) return []
  const told = fields(recipient)
  const diagnostic =
    text(told['diagnosticCode'])
      ?.replace(/^[\w-]{1,20};/, '')
      .trim() ?? null
  const action = text(told['action']) === 'delayed' ? 'delayed' : 'failed'
  const verdict = classify({
    action,
    status: text(told['status']),
    diagnostic,
    // Its own judgement, in words that the tables know.
    nearby: text(bounce['bounceSubType']) === 'MailboxFull' ? 'mailbox full' : '',
    around: () => null,
  })
  return [{ address, originalAddress: null, action, diagnostic, ...verdict }]
}

const addressOf = (recipient: unknown): string | null =>
  firstAddress(text(fields(recipient)['emailAddress']) ?? '')

/** Whole, or broken into lines by a server on the way, with a footer behind it. */
function parsed(body: string): unknown {
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)
  for (const attempt of [json, json.replace(/!?\n ?/g, '')])
    try {
      return JSON.parse(attempt)
    } catch {
      // Not this way; a mail of SNS that holds no JSON is about something else.
    }
  return null
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, RECIPIENTS_MAX) : [])
const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 2_000) : null)
