import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import type { WebhookCall } from './events.ts'
import { type FetchCertificate, NoCertificate } from './sns.ts'
import { certificateUrl, subscriptionUrl, topicsIn } from './sns-addresses.ts'

/** A message of Amazon SNS whose signature holds. */
export type SnsMessage = { id: string; topic: string; at: Date } & (
  | { type: 'Notification'; message: string }
  | { type: 'SubscriptionConfirmation'; url: URL }
  | { type: 'UnsubscribeConfirmation' }
)

export type SnsOptions = {
  /** The topic whose messages are expected, or several; null where none is, and then no message is genuine. */
  expectedTopic: string | null
  fetchCertificate: FetchCertificate
}

const OLDEST_MS = 3_600_000
/** Clocks differ a little. */
const NEWEST_MS = 5 * 60_000
const KEY_BITS_MIN = 2048

/** No line breaks where they could move what was signed as one field into another. */
const Envelope = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().regex(/^[\w-]{1,100}$/),
  TopicArn: z.string(),
  Subject: z.string().nullish(),
  Message: z.string(),
  Timestamp: z.string().regex(/^[\d:.TZ-]{20,30}$/),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string().regex(/^[A-Za-z0-9+/]{4,4000}={0,2}$/),
  SigningCertURL: z.string(),
})
type Envelope = z.infer<typeof Envelope>

/**
 * The message, or why it is none of Amazon's. Whatever can be judged without leaving the house is judged first; nothing
 * that it asks for is done before its signature holds. Throws only where the certificate cannot be had at the moment:
 * Amazon repeats a message that is answered with 503, and drops one that is called a forgery.
 */
export async function readSnsMessage(call: WebhookCall, options: SnsOptions): Promise<SnsMessage | string> {
  const topics = topicsIn(options.expectedTopic ?? '')
  if (topics.length === 0) return 'no topic is expected here'
  const { data } = Envelope.safeParse(asJson(call.body))
  if (!data) return 'it does not have the form of a message from Amazon SNS'
  if (!topics.includes(data.TopicArn)) return 'it comes from another topic'
  const at = new Date(data.Timestamp)
  const age = call.now.getTime() - at.getTime()
  // A time that is none is neither old nor new.
  if (!(age <= OLDEST_MS && age >= -NEWEST_MS)) return 'it was signed too long ago, or in the future'
  const url = certificateUrl(data.SigningCertURL)
  if (!url) return 'its certificate does not lie with Amazon'
  const key = await keyAt(url, call.now, options.fetchCertificate)
  if (!key) return 'its certificate is not valid'
  if (!isSigned(data, key)) return 'the signature does not fit'
  return messageOf(data, at) ?? 'it asks for a visit to an address that is not of Amazon SNS'
}

function messageOf(envelope: Envelope, at: Date): SnsMessage | null {
  const base = { id: envelope.MessageId, topic: envelope.TopicArn, at }
  switch (envelope.Type) {
    case 'Notification':
      return { ...base, type: envelope.Type, message: envelope.Message }
    case 'UnsubscribeConfirmation':
      return { ...base, type: envelope.Type }
    case 'SubscriptionConfirmation': {
      const url = subscriptionUrl(envelope.SubscribeURL ?? '', envelope.TopicArn)
      return url && { ...base, type: envelope.Type, url }
    }
  }
}

/** The public key of a certificate that is valid now. That it is Amazon's is known by where it was fetched from. */
async function keyAt(url: URL, now: Date, fetchCertificate: FetchCertificate): Promise<KeyObject | null> {
  const pem = await fetchCertificate(url).catch((error: unknown) => {
    if (error instanceof NoCertificate) return null
    throw new AppError(503, 'The certificate of this message cannot be fetched at the moment', {
      cause: error,
    })
  })
  const certificate = pem === null ? null : parsed(pem)
  if (!certificate) return null
  const isValid = certificate.validFromDate <= now && now <= certificate.validToDate
  const { publicKey } = certificate
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0
  return isValid && publicKey.asymmetricKeyType === 'rsa' && bits >= KEY_BITS_MIN ? publicKey : null
}

function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

const ALGORITHMS = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' } as const
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const

function isSigned(envelope: Envelope, key: KeyObject): boolean {
  const names = envelope.Type === 'Notification' ? SIGNED.Notification : SIGNED.SubscriptionConfirmation
  let text = ''
  for (const name of names) {
    const value = envelope[name]
    if (value != null) text += `${name}\n${value}\n`
  }
  const signature = Buffer.from(envelope.Signature, 'base64')
  return verify(ALGORITHMS[envelope.SignatureVersion], Buffer.from(text), key, signature)
}

function asJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
