import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import type { WebhookCall } from './events.ts'
import { asJson } from './json.ts'
import { type FetchCertificate, NoCertificate } from './sns.ts'
import { certificateUrl, subscriptionUrl, topicsIn } from './sns-addresses.ts'

/** A message of Amazon SNS whose signature holds. */
export type SnsMessage = { id: string; topic: string; at: Date } & (
  | { type: 'Notification'; message: string }
  | { type: 'SubscriptionConfirmation'; url: URL }
  | { type: 'UnsubscribeConfirmation' }
)

/** Why a call has no effect. `untimely`: it is Amazon's, and asked for again; `why` is for the log. */
type SnsRefusal = { kind: 'forged' | 'untimely'; why: string }

export type SnsOptions = {
  /** The topic whose messages are expected, or several; null where none is, and then no message is genuine. */
  expectedTopic: string | null
  fetchCertificate: FetchCertificate
}

const OLDEST_MS = 3_600_000
/** Clocks differ a little. */
const NEWEST_MS = 5 * 60_000
const UNTIMELY =
  'Amazon SNS signed a message more than an hour ago, or in a time to come; check the clock of this server'
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
 * The message, or why nothing comes of it. Whatever can be judged without leaving the house is judged first; nothing that
 * it asks for is done before its signature holds. Amazon repeats a message that is answered with 503, and drops one that
 * is called a forgery: so that is said of none that it has signed, whatever our own clock says. Throws only where the
 * certificate cannot be had at the moment.
 */
export async function readSnsMessage(
  call: WebhookCall,
  options: SnsOptions,
): Promise<SnsMessage | SnsRefusal> {
  const topics = topicsIn(options.expectedTopic ?? '')
  if (topics.length === 0) return forged('no topic is expected here')
  const { data } = Envelope.safeParse(asJson(call.body))
  if (!data) return forged('it does not have the form of a message from Amazon SNS')
  if (!topics.includes(data.TopicArn)) return forged('it comes from another topic')
  const at = new Date(data.Timestamp)
  if (Number.isNaN(at.getTime())) return forged('it was signed at no time')
  const url = certificateUrl(data.SigningCertURL)
  if (!url) return forged('its certificate does not lie with Amazon')
  const certificate = await certificateAt(url, options.fetchCertificate)
  if (!certificate) return forged('its certificate is not valid')
  if (!isSigned(data, certificate.publicKey)) return forged('the signature does not fit')
  const age = call.now.getTime() - at.getTime()
  if (age > OLDEST_MS || age < -NEWEST_MS) return { kind: 'untimely', why: UNTIMELY }
  // Not before: by a clock that is wrong for months no certificate is valid.
  if (!isValid(certificate, call.now)) return forged('its certificate is not valid')
  return messageOf(data, at) ?? forged('it asks for a visit to an address that is not of Amazon SNS')
}

const forged = (why: string): SnsRefusal => ({ kind: 'forged', why })

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

/** With a key that is good enough. That it is Amazon's is known by where it was fetched from. */
async function certificateAt(url: URL, fetchCertificate: FetchCertificate): Promise<X509Certificate | null> {
  const pem = await fetchCertificate(url).catch((error: unknown) => {
    if (error instanceof NoCertificate) return null
    throw new AppError(503, 'The certificate of this message cannot be fetched at the moment', {
      cause: error,
    })
  })
  const certificate = pem === null ? null : parsed(pem)
  if (!certificate) return null
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  return asymmetricKeyType === 'rsa' && bits >= KEY_BITS_MIN ? certificate : null
}

const isValid = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate <= now && now <= validToDate

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
