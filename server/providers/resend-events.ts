import { z } from 'zod'
import type { EventKind, ProviderEvent, WebhookCall, WebhookReading } from './events.ts'
import { asJson } from './json.ts'
import { providersWords } from './providers-words.ts'
import { softOf } from './refusal.ts'
import { readResendCall } from './resend-signature.ts'

/** Resend reports one event in a call. */
export function readResendEvents(call: WebhookCall, secrets: string): WebhookReading {
  const genuine = readResendCall(call, secrets)
  if (typeof genuine === 'string') return { kind: 'forged', why: genuine }
  return { kind: 'events', events: eventsIn(call.body, genuine.id, genuine.at) }
}

const Report = z.object({
  type: z.string(),
  created_at: z.string().optional(),
  data: z.object({
    tags: z.record(z.string(), z.string()).optional().catch(undefined),
    bounce: z
      .object({
        type: z.string().optional(),
        subType: z.string().optional(),
        message: z.string().optional(),
        diagnosticCode: z.array(z.string()).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    failed: z.object({ reason: z.string().optional() }).optional().catch(undefined),
    suppressed: z
      .object({ reason: z.string().optional(), message: z.string().optional() })
      .optional()
      .catch(undefined),
    click: z.object({ link: z.string().optional() }).optional().catch(undefined),
  }),
})
type Report = z.infer<typeof Report>

function eventsIn(body: Buffer, id: string, sentAt: Date): ProviderEvent[] {
  const report = Report.safeParse(asJson(body))
  if (!report.success) return []
  const kind = kindOf(report.data)
  if (!kind) return []
  const { created_at: at = '', data } = report.data
  const time = new Date(at)
  const said = wordsIn(report.data)
  return [
    {
      id,
      tag: data.tags?.['mid'] ?? null,
      at: Number.isNaN(time.getTime()) ? sentAt : time,
      words: said === undefined ? null : providersWords(said),
      ...kind,
    },
  ]
}

/** Null for what is no matter of a mail that was sent. */
function kindOf({ type, data }: Report): EventKind | null {
  switch (type) {
    case 'email.sent':
      return { kind: 'accepted' }
    case 'email.delivered':
      return { kind: 'delivered' }
    case 'email.delivery_delayed':
      return { kind: 'deferred' }
    case 'email.bounced':
      return { kind: 'bounced', bounce: bounceOf(data.bounce ?? {}) }
    case 'email.complained':
      return { kind: 'complained' }
    case 'email.failed':
    case 'email.suppressed':
      return { kind: 'failed' }
    // Resend does not tell a person from a machine.
    case 'email.opened':
      return { kind: 'opened', isMachine: false }
    case 'email.clicked':
      return { kind: 'clicked', isMachine: false, url: data.click?.link ?? null }
    default:
      return null
  }
}

const ABOUT_THE_MESSAGE = new Set(['MessageTooLarge', 'ContentRejected', 'AttachmentRejected'])

function bounceOf({ type, subType = '', diagnosticCode }: NonNullable<Report['data']['bounce']>) {
  if (ABOUT_THE_MESSAGE.has(subType)) return 'message' as const
  return type === 'Permanent' ? ('hard' as const) : softOf('', diagnosticCode?.[0] ?? '')
}

const wordsIn = ({ data }: Report): string | undefined =>
  data.bounce?.diagnosticCode?.[0] ??
  data.bounce?.message ??
  data.failed?.reason ??
  data.suppressed?.message ??
  data.suppressed?.reason
