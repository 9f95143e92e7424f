import { z } from 'zod'
import type { EventKind, ProviderEvent, WebhookCall, WebhookReading } from './events.ts'
import { asJson } from './json.ts'
import { MailgunProof, mailgunFlaw } from './mailgun-signature.ts'
import { providersWords } from './providers-words.ts'
import { judgeRefusal, softOf } from './refusal.ts'

const Call = z.object({ signature: MailgunProof, 'event-data': z.record(z.string(), z.unknown()) })

/**
 * What Mailgun reports of a mail. Its signature covers a time and a token, and not the event: whoever has seen one call
 * could send it again with another story. So the event is known by its token, which is new in every honest call, and a
 * second story under the same token counts as a repetition of the first. (Mailgun's own event ids are unique within a
 * day only, and not signed.)
 */
export function readMailgunEvents(call: WebhookCall, signingKey: string): WebhookReading {
  const forged = (why: string): WebhookReading => ({ kind: 'forged', why })
  const { data } = Call.safeParse(asJson(call.body))
  if (!data) return forged('it does not have the form of a call from Mailgun')
  const why = mailgunFlaw(data.signature, signingKey, call.now)
  if (why !== null) return forged(why)
  const event = eventOf(data['event-data'], data.signature.token, call.now)
  return { kind: 'events', events: event ? [event] : [] }
}

/** Payloads are read leniently: a field that is missing or of another kind is as good as empty. */
const Text = z.string().catch('')
const Details = z.object({
  event: Text,
  timestamp: z.number().nullable().catch(null),
  severity: Text,
  reason: Text,
  url: Text,
  'delivery-status': z
    .object({
      code: z.number().nullable().catch(null),
      'enhanced-code': Text,
      'bounce-code': Text,
      message: Text,
      description: Text,
    })
    .nullable()
    .catch(null),
  reject: z.object({ reason: Text, description: Text }).nullable().catch(null),
  'client-info': z.object({ bot: Text }).nullable().catch(null),
  'user-variables': z.object({ mid: Text }).nullable().catch(null),
})
type Details = z.infer<typeof Details>

function eventOf(payload: Record<string, unknown>, token: string, now: Date): ProviderEvent | null {
  const { data } = Details.safeParse(payload)
  const kind = data ? kindOf(data) : null
  if (!data || !kind) return null
  const at = new Date((data.timestamp ?? Number.NaN) * 1000)
  return {
    id: token,
    tag: data['user-variables']?.mid || null,
    at: Number.isNaN(at.getTime()) ? now : at,
    words: wordsIn(data),
    ...kind,
  }
}

/** Null for what says nothing about a mail that we sent: `stored`, and whatever Mailgun may come to report. */
function kindOf(details: Details): EventKind | null {
  const isMachine = (details['client-info']?.bot ?? '') !== ''
  switch (details.event) {
    case 'accepted':
    case 'delivered':
    case 'unsubscribed':
    case 'complained':
      return { kind: details.event }
    case 'rejected':
      return { kind: 'failed' }
    case 'opened':
      return { kind: 'opened', isMachine }
    case 'clicked':
      return { kind: 'clicked', isMachine, url: details.url || null }
    case 'failed':
      return failureOf(details)
    default:
      return null
  }
}

function failureOf({ severity, reason, 'delivery-status': status }: Details): EventKind {
  if (severity === 'temporary') return { kind: 'deferred' }
  // Mailgun did not try: the address is on its list of bounces (605), unsubscriptions (606) or complaints (607).
  if (reason.startsWith('suppress-') || [605, 606, 607].includes(status?.code ?? 0)) return { kind: 'failed' }
  // The mailbox's provider turned Mailgun away. That, or a failure of no severity, says nothing about the mailbox.
  if (reason === 'espblock' || severity !== 'permanent')
    return { kind: 'bounced', bounce: softOf(...saidBy(status)) }
  return { kind: 'bounced', bounce: returnOf(reason, status) }
}

/**
 * "Permanent" means that Mailgun does not try again: also a mailbox that was full to the end, or a mail that was too
 * large. What the server said decides; where it says nothing, Mailgun's word holds.
 */
function returnOf(reason: string, status: Details['delivery-status']): 'hard' | 'soft' | 'message' {
  const code = status?.code ?? 0
  // Tried until it was too old.
  if (reason === 'old' || code === 602) return 'soft'
  return judgeRefusal(...saidBy(status)) ?? 'hard'
}

function saidBy(status: Details['delivery-status']): [enhanced: string, said: string] {
  const enhanced = status?.['enhanced-code'] || status?.['bounce-code'] || ''
  return [enhanced, `${status?.code ?? 0} ${status?.message || status?.description || ''}`]
}

function wordsIn({ 'delivery-status': status, reject, reason }: Details): string | null {
  const said = status?.message || status?.description || reject?.description || reject?.reason || reason
  return providersWords([status?.code || '', said].join(' ')) || null
}
