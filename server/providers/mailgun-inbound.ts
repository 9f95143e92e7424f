import { z } from 'zod'
import type { WebhookCall } from './events.ts'
import { type InboundForm, readInboundForm } from './inbound-form.ts'
import { MailgunProof, mailgunFlaw } from './mailgun-signature.ts'
import { type MailBody, rebuildMail, rebuiltSize } from './rebuilt-mail.ts'
import { addressesIn, forged, type InboundReading, UNKNOWN_SENDER, unreadable } from './received.ts'

/**
 * A mail that a route of Mailgun forwards: whole where the address that it goes to ends in `mime`, else in pieces. The
 * signature covers a time and a token, and not the mail: the token, which is new in every honest call, stands for one mail.
 */
export function readMailgunInbound(call: WebhookCall, signingKey: string): InboundReading {
  const form = readInboundForm(call)
  if (!form) return forged('it does not have the form of a call from Mailgun')
  const [timestamp, token, signature] = ['timestamp', 'token', 'signature'].map(form.only)
  const { data } = MailgunProof.safeParse({ timestamp, token, signature })
  if (!data) return forged('it is not signed')
  const why = mailgunFlaw(data, signingKey, call.now)
  if (why !== null) return forged(why)
  return {
    kind: 'mail',
    mail: {
      from: form.has('sender') ? (addressesIn(form.text('sender'))[0] ?? '') : UNKNOWN_SENDER,
      to: addressesIn(form.text('recipient')),
      async source(memory) {
        // Decoded it is a second time there.
        if (form.isCoded) await memory.grow(call.body.length)
        const raw = await form.bytes('body-mime')
        if (raw && raw.length > 0) return raw
        await memory.grow(rebuiltSize(call.body.length))
        return form.hasAny(MAIL_FIELDS) ? rebuiltFrom(form) : unreadable('Mailgun', call.body)
      },
      keptAs: null,
      proof: { token: data.token },
    },
  }
}

const MAIL_FIELDS = ['message-headers', 'from', 'subject', 'body-plain', 'body-html']
const Headers = z.array(z.tuple([z.string(), z.string()]).nullable().catch(null)).catch([])
const ContentIds = z.record(z.string(), z.unknown()).catch({})

/** All that Mailgun has taken apart is UTF-8. */
async function rebuiltFrom(form: InboundForm): Promise<Buffer> {
  const idOf = new Map(
    Object.entries(ContentIds.parse(form.json('content-id-map'))).map(([id, name]) => [
      name,
      id.replace(/^<|>$/g, ''),
    ]),
  )
  const bodies: MailBody[] = []
  for (const kind of ['plain', 'html'] as const) {
    const content = await form.bytes(`body-${kind}`)
    if (content && content.length > 0) bodies.push({ type: `text/${kind}`, charset: 'utf-8', content })
  }
  return rebuildMail({
    headers: headersOf(form),
    bodies,
    attachments: form.parts
      .filter(({ name, filename }) => filename !== null || /^attachment-\d+$/.test(name))
      .map((part) => ({
        name: part.filename,
        type: part.type,
        contentId: idOf.get(part.name) ?? null,
        content: part.content,
      })),
  })
}

function headersOf(form: InboundForm): [name: string, value: string][] {
  const headers = Headers.parse(form.json('message-headers')).filter((header) => header !== null)
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const missing = ['From', 'Subject'].filter(
    (name) => !names.has(name.toLowerCase()) && form.text(name.toLowerCase()) !== '',
  )
  return [...missing.map((name): [string, string] => [name, form.text(name.toLowerCase())]), ...headers]
}
