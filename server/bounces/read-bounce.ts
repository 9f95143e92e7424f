import { readComplaint } from './complaint-report.ts'
import { looksLikeDeliveryReport, type ReportedFields, readDeliveryReport } from './delivery-report.ts'
import { type Header, readHeaders } from './mail-headers.ts'
import { type OpenedMail, openMail } from './mime-parts.ts'
import { type Notice, readNotice } from './notice-text.ts'
import { isReturned, originalMessageId, returnedHeaders } from './original-mail.ts'
import { textOfPart } from './part-text.ts'
import { createPhraseSearch, type FindPhrase } from './phrases.ts'
import { textOfMail } from './raw-mail.ts'
import { type BounceReading, NOTHING } from './reading.ts'
import { type JudgedRecipient, judgeRecipients } from './recipients.ts'
import { isAutoReply, isMachineReport, readSigns } from './signs.ts'
import { readSnsNotification } from './sns-notification.ts'

/** A bounce inside a notice, as list managers pass on what they do not understand themselves. */
const WRAPPERS_MAX = 2

/**
 * What a raw mail says has become of one of ours: bounced hard or soft, complained of, or nothing of the kind. Knows
 * nothing of who sent what; a report proves nothing until its return path is checked. Never throws: a mail that cannot
 * be read is no bounce.
 */
export async function readBounce(raw: Uint8Array): Promise<BounceReading> {
  try {
    return judge(textOfMail(raw), 0, createPhraseSearch())
  } catch {
    return NOTHING
  }
}

function judge(text: string, wrappers: number, findPhrase: FindPhrase): BounceReading {
  const mail = openMail(text)
  const told = readComplaint(mail) ?? readSnsNotification(mail)
  if (told) return told
  const notice = readNotice(mail)
  const signs = readSigns(mail, notice)
  const typed = typedReport(mail)
  if (typed.length === 0 && isAutoReply(mail, signs)) return { ...NOTHING, isAutoReply: true }
  if (!isMachineReport(signs, typed.length > 0)) return NOTHING
  const reported = typed.length > 0 ? typed : reportInText(notice)
  if (reported.length === 0) {
    const inner = unwrapped(mail, wrappers, findPhrase)
    if (inner) return inner
  }
  const returned = originalHeaders(mail, notice)
  const messageId = originalMessageId(mail, returned, `${notice.lines.join('\n')}\n${notice.rest}`)
  const recipients = judgeRecipients({ mail, notice, signs, reported, returned, findPhrase })
  return summary(recipients, { messageId, headers: returned })
}

const typedReport = (mail: OpenedMail): ReportedFields[] =>
  mail.parts
    .filter(({ type }) => type.includes('delivery-status'))
    .flatMap((part) => readDeliveryReport(textOfPart({ ...part, type: 'text/plain' })))

/** The same fields under another type, as some servers send them. Proves nothing by itself: people quote them too. */
function reportInText(notice: Notice): ReportedFields[] {
  const text = notice.lines.join('\n')
  return looksLikeDeliveryReport(text) ? readDeliveryReport(text) : []
}

function originalHeaders(mail: OpenedMail, notice: Notice): Header[] {
  const part = mail.parts.find(isReturned)
  if (part) return returnedHeaders(part)
  // The mark that announces the returned mail is no header of it.
  const rest = notice.rest.split('\n')
  const start = rest.findIndex((line) => /^[ \t>]{0,8}[A-Za-z][\w-]{1,60}: ?\S/.test(line))
  if (start < 0) return []
  return readHeaders(
    rest
      .slice(start, start + 500)
      .map((line) => line.replace(/^[ \t>]{1,8}(?=[A-Z][\w-]{1,60}: )/, ''))
      .join('\n'),
  ).headers
}

function unwrapped(mail: OpenedMail, wrappers: number, findPhrase: FindPhrase): BounceReading | null {
  const part = mail.parts.find(({ type }) => type === 'message/rfc822')
  if (!part || wrappers >= WRAPPERS_MAX) return null
  const inner = judge(
    part.encoding === 'base64' ? textOfPart({ ...part, type: 'text/plain' }) : part.body,
    wrappers + 1,
    findPhrase,
  )
  return inner.kind === 'none' ? null : inner
}

/** One judgement for the mail: the first that failed, before one that is only late, before one that arrived. */
function summary(judged: JudgedRecipient[], original: BounceReading['original']): BounceReading {
  const first =
    judged.find(({ kind, action }) => kind !== 'none' && action !== 'delayed') ??
    judged.find(({ kind }) => kind !== 'none') ??
    judged[0]
  if (!first) return { ...NOTHING, original }
  const { address, kind, status, reason, cause, action, diagnostic } = first
  const recipients = judged.flatMap((one) => (one.address === null ? [] : [{ ...one, address: one.address }]))
  return {
    ...NOTHING,
    kind,
    recipient: address,
    status,
    reason,
    cause,
    action,
    diagnostic,
    recipients,
    original,
  }
}
