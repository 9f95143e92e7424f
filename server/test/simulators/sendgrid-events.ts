import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Fate, TakenMail } from './sendgrid-mail.ts'

/** What SendGrid reports of mails, and how it signs its reports. */

export type SendgridEvent = { event: string; email: string; [field: string]: unknown }

/** Anything that befalls a mail; `extra` are the fields of its own. Custom arguments stand beside the others. */
export const eventOf = (
  mail: TakenMail,
  event: string,
  extra: Record<string, unknown> = {},
  at = Date.now(),
): SendgridEvent => ({
  email: mail.to,
  timestamp: Math.floor(at / 1000),
  'smtp-id': `<${mail.callId}@simulator.sendgrid.test>`,
  ...mail.customArgs,
  event,
  category: mail.letter.categories ?? [],
  sg_event_id: randomBytes(24).toString('base64url'),
  sg_message_id: mail.id,
  ...extra,
})

type Step = readonly [event: string, extra?: Record<string, unknown>]

const PROCESSED: Step = ['processed', { send_at: 0 }]
const DELIVERED: Step = ['delivered', { response: '250 OK', ip: '192.0.2.1', tls: 1 }]
const VISIT = { useragent: 'Mozilla/5.0', ip: '192.0.2.7' }

const STORIES: Record<Fate, readonly Step[]> = {
  delivered: [PROCESSED, DELIVERED],
  bounced: [
    PROCESSED,
    [
      'bounce',
      {
        type: 'bounce',
        reason: '550 5.1.1 The email account that you tried to reach does not exist',
        status: '5.1.1',
        bounce_classification: 'Invalid Address',
      },
    ],
  ],
  blocked: [
    PROCESSED,
    [
      'bounce',
      {
        type: 'blocked',
        reason: '554 5.7.1 Your address is on a block list',
        status: '5.7.1',
        bounce_classification: 'Reputation',
      },
    ],
  ],
  complained: [PROCESSED, DELIVERED, ['spamreport']],
  suppressed: [['dropped', { reason: 'Bounced Address', status: '5.0.0' }]],
  deferred: [PROCESSED, ['deferred', { response: '451 Try again later', attempt: '1' }]],
  opened: [PROCESSED, DELIVERED, ['open', { ...VISIT, sg_machine_open: false }]],
  clicked: [
    PROCESSED,
    DELIVERED,
    ['click', { ...VISIT, url: 'https://x.test/a', url_offset: { index: 0, type: 'html' } }],
  ],
  unsubscribed: [PROCESSED, DELIVERED, ['unsubscribe']],
}

/** All that befalls a mail, in order, by its recipient's address. */
export const storyOf = (mail: TakenMail, at = Date.now()): SendgridEvent[] =>
  STORIES[mail.fate].map(([event, extra]) => eventOf(mail, event, extra, at))

export type Signer = {
  /** As SendGrid shows it: base64 of the DER form, without lines around it. */
  publicKey: string
  /** The headers of a report, signed as of `at`. */
  headersFor(body: Buffer, at: number): Record<string, string>
}

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    headersFor: (body, at) => signedHeaders(body, String(Math.floor(at / 1000)), privateKey),
  }
}

const signedHeaders = (body: Buffer, timestamp: string, key: KeyObject): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'SendGrid Event API',
  'x-twilio-email-event-webhook-signature': sign(
    'sha256',
    Buffer.concat([Buffer.from(timestamp), body]),
    key,
  ).toString('base64'),
  'x-twilio-email-event-webhook-timestamp': timestamp,
})

/** Reports are JSON arrays that end in a line break, which is signed as well. */
export const reportOf = (events: readonly SendgridEvent[]): Buffer =>
  Buffer.from(`${JSON.stringify(events)}\r\n`)
