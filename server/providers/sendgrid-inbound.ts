import { z } from 'zod'
import { headerOf, readHeaders, withPlainLines } from '../bounces/mail-headers.ts'
import type { MemoryShare } from '../platform/memory-budget.ts'
import type { WebhookCall } from './events.ts'
import { type InboundForm, readInboundForm } from './inbound-form.ts'
import { type MailBody, rebuildMail, rebuiltSize } from './rebuilt-mail.ts'
import { addressesIn, forged, type InboundReading, UNKNOWN_SENDER, unreadable } from './received.ts'
import { sendgridProof } from './sendgrid-signature.ts'

/**
 * SendGrid comes again for 72 hours with what was not taken, and our clock may be wrong. Little is gained by a call that
 * somebody has overheard: the signature covers the whole mail, and one that is there already is recognised.
 */
const TOLERANCE_MS = 73 * 3_600_000
const UNTIMELY =
  'SendGrid signed a mail more than three days ago, or in a time to come; check the clock of this server'

/**
 * A mail from SendGrid's Inbound Parse: whole where the setting says "POST the raw, full MIME message", else in pieces.
 * SendGrid drops a mail at once that is refused, so that none is that has been proven.
 */
export async function readSendgridInbound(call: WebhookCall, publicKeys: string): Promise<InboundReading> {
  const proof = await sendgridProof(call, publicKeys)
  if (proof.flaw !== null) return forged(proof.flaw)
  if (Math.abs(proof.signedAt.getTime() - call.now.getTime()) > TOLERANCE_MS)
    return { kind: 'untimely', why: UNTIMELY }
  const form = readInboundForm(call)
  const source = async (memory: MemoryShare) => {
    const raw = await form?.bytes('email')
    if (raw && raw.length > 0) return raw
    await memory.grow(rebuiltSize(call.body.length))
    return form?.hasAny(MAIL_FIELDS) ? rebuiltFrom(form) : unreadable('SendGrid', call.body)
  }
  return { kind: 'mail', mail: { ...envelopeOf(form), source, keptAs: null, proof: null } }
}

const Envelope = z.object({ from: z.string().optional().catch(undefined), to: z.array(z.string()).catch([]) })

function envelopeOf(form: InboundForm | null): { from: string; to: string[] } {
  const { data } = Envelope.safeParse(form?.json('envelope'))
  return {
    from: data?.from ?? addressesIn(form?.text('from') ?? '')[0] ?? UNKNOWN_SENDER,
    to: data?.to.length ? data.to : addressesIn(form?.text('to') ?? ''),
  }
}

const MAIL_FIELDS = ['headers', 'from', 'subject', 'text', 'html']
const Charsets = z.record(z.string(), z.unknown()).catch({})
const AttachmentInfo = z
  .record(
    z.string(),
    z.object({
      filename: z.string().optional().catch(undefined),
      name: z.string().optional().catch(undefined),
      type: z.string().optional().catch(undefined),
      'content-id': z.string().optional().catch(undefined),
    }),
  )
  .catch({})

async function rebuiltFrom(form: InboundForm): Promise<Buffer> {
  const charsets = Charsets.parse(form.json('charsets'))
  const info = AttachmentInfo.parse(form.json('attachment-info'))
  const bodies: MailBody[] = []
  for (const name of ['text', 'html'] as const) {
    const content = await form.bytes(name)
    // In the charset of the mail, which is told beside: the bytes need not be changed.
    const charset = typeof charsets[name] === 'string' ? charsets[name] : 'utf-8'
    if (content && content.length > 0)
      bodies.push({ type: name === 'text' ? 'text/plain' : 'text/html', charset, content })
  }
  return rebuildMail({
    headers: headersOf(form),
    bodies,
    attachments: form.parts
      .filter(({ name, filename }) => filename !== null || /^attachment\d+$/.test(name))
      .map((part) => {
        const told = Object.hasOwn(info, part.name) ? info[part.name] : undefined
        return {
          name: told?.filename ?? told?.name ?? part.filename,
          type: told?.type ?? part.type,
          contentId: told?.['content-id'] ?? null,
          content: part.content,
        }
      }),
  })
}

/** Those of the mail, and the three that a person needs where they are missing among them. */
function headersOf(form: InboundForm): [name: string, value: string][] {
  const { headers } = readHeaders(withPlainLines(form.text('headers')))
  const missing = ['From', 'To', 'Cc', 'Subject'].filter(
    (name) => headerOf(headers, name.toLowerCase()) === '' && form.text(name.toLowerCase()) !== '',
  )
  return [
    ...missing.map((name): [string, string] => [name, form.text(name.toLowerCase())]),
    ...headers.map(({ name, value }): [string, string] => [name, value]),
  ]
}
