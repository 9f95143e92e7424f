import { z } from 'zod'
import type { WebhookCall } from './events.ts'
import { asJson } from './json.ts'
import type { InboundReading } from './received.ts'
import { readSnsMessage, type SnsOptions } from './sns-messages.ts'

/** A mail that Amazon SES brings by way of SNS, as the SNS action of a receipt rule makes it do. */
export async function readSesInbound(call: WebhookCall, options: SnsOptions): Promise<InboundReading> {
  const message = await readSnsMessage(call, options)
  if ('why' in message) return message
  switch (message.type) {
    case 'SubscriptionConfirmation':
      return { kind: 'confirmation', url: message.url, topic: message.topic }
    case 'UnsubscribeConfirmation':
      return { kind: 'nothing', why: 'Amazon SNS brings no more mails of this topic' }
    case 'Notification':
      return mailIn(message.message)
  }
}

// Read leniently: a field that is missing or of another kind is as good as empty.
const Text = z.string().catch('')
const Addresses = z.array(z.string()).catch([])
const Received = z.object({
  notificationType: z.literal('Received'),
  receipt: z
    .object({
      recipients: Addresses,
      action: z.object({ type: Text, encoding: Text }).catch({ type: '', encoding: '' }),
    })
    .catch({ recipients: [], action: { type: '', encoding: '' } }),
  mail: z.object({ source: Text, destination: Addresses }).catch({ source: '', destination: [] }),
  content: Text,
})

function mailIn(text: string): InboundReading {
  const { data } = Received.safeParse(asJson(text))
  // Events of mails that were sent, the line by which Amazon tries a new topic: no matter of ours.
  if (!data) return { kind: 'nothing', why: null }
  const { receipt, mail, content } = data
  if (content === '')
    return {
      kind: 'not-brought',
      why: `Amazon SES told of a mail and did not bring it (${oneWord(receipt.action.type)}): the receipt rule needs an SNS action, which brings mails of up to 150 KB`,
    }
  const raw = Buffer.from(content, isBase64(content, receipt.action.encoding) ? 'base64' : 'utf8')
  return {
    kind: 'mail',
    mail: {
      from: mail.source.replace(/^<|>$/g, ''),
      to: receipt.recipients.length > 0 ? receipt.recipients : mail.destination,
      source: async () => raw,
      keptAs: null,
      proof: null,
    },
  }
}

/** Whether it was told is not certain; but every mail has a colon in its first line, and Base64 has none. */
const isBase64 = (content: string, told: string): boolean =>
  /^base64$/i.test(told) || /^[A-Za-z0-9+/=\r\n]+$/.test(content.slice(0, 4_000))

const oneWord = (type: string): string => (/^\w{1,20}$/.test(type) ? `${type} action` : 'another action')
