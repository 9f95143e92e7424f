import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { signedBody } from '../../simulators/mailgun-webhooks.ts'
import { createSigner, reportOf as sendgridReport } from '../../simulators/sendgrid-events.ts'
import { reportOf as sesReport } from '../../simulators/ses-reports.ts'
import type { SnsSimulator } from '../../simulators/sns.ts'
import { STRANGERS_KEY } from '../../simulators/sns-certificate.ts'
import { type Kind, MAILGUN_KINDS, RESEND_KINDS, SENDGRID_KINDS, SES_KINDS } from './words.ts'

/** Something that a provider tells of a mail; `tag` is what the mail left with. */
export type Told = { id: string; tag: string; address: string; kind: Kind; at: Date }
/** Signed by somebody else; signed well, but too long ago. */
export type Flaw = 'forged' | 'old'
export type Call = { headers: Record<string, string>; body: Buffer }

/** How a provider reports: its words, its signature, its manners. */
export type Scheme = {
  /** What the user enters in the settings to have its reports believed. */
  key: string
  /** The most events that one call carries. */
  batchMax: number
  /** What an old call is answered, where that is not 401: one that the provider drops when it is refused is asked for again. */
  oldStatus?: number
  call(events: readonly Told[], flaw: Flaw | null): Call
  /** The same event as it comes when the first call was not answered in time. */
  again(event: Told): Told
}

const LATE_MS = 5 * 60_000 + 10_000
/** Amazon goes on repeating a message for an hour, always with its first signature. */
const LATE_BY_SNS_MS = 60 * 60_000 + 10_000
/** Mailgun comes again for eight hours, perhaps with its first signature too. */
const LATE_BY_MAILGUN_MS = 9 * 60 * 60_000 + 10_000

const JSON_TYPE = { 'content-type': 'application/json' }
const signedAt = (flaw: Flaw | null, late = LATE_MS): number => Date.now() - (flaw === 'old' ? late : 0)
const same = (event: Told): Told => event

/** One event in a call, signed by Svix. */
export function resendScheme(): Scheme {
  const [ours, strangers] = [randomBytes(24), randomBytes(24)]
  return {
    key: `whsec_${ours.toString('base64')}`,
    batchMax: 1,
    again: same,
    call([event], flaw) {
      if (!event) throw new Error('Resend reports one event at a time')
      const { id, tag, address, kind, at } = event
      const { type, ...own } = RESEND_KINDS[kind]
      const data = { email_id: id, to: [address], tags: { mid: tag }, ...own }
      const body = JSON.stringify({ type, created_at: at.toISOString(), data })
      const timestamp = String(Math.floor(signedAt(flaw) / 1000))
      const signature = createHmac('sha256', flaw === 'forged' ? strangers : ours)
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64')
      const headers = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
      return { headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(body) }
    },
  }
}

/** Many events in a call, all under one signature. */
export function sendgridScheme(): Scheme {
  const [ours, strangers] = [createSigner(), createSigner()]
  return {
    key: ours.publicKey,
    batchMax: 20,
    again: same,
    call(events, flaw) {
      const body = sendgridReport(
        events.map(({ id, tag, address, kind, at }) => ({
          email: address,
          timestamp: at.getTime() / 1000,
          sg_event_id: id,
          sg_message_id: `${id}.recvd.0`,
          mid: tag,
          ...SENDGRID_KINDS[kind],
        })),
      )
      return { headers: (flaw === 'forged' ? strangers : ours).headersFor(body, signedAt(flaw)), body }
    },
  }
}

/** One event in a call, whose signature covers a token and not the event. */
export function mailgunScheme(): Scheme {
  const [ours, strangers] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  return {
    key: ours,
    batchMax: 1,
    // Signed anew, which Mailgun neither promises nor rules out.
    again: (event) => ({ ...event, id: `${event.id}-again` }),
    call([event], flaw) {
      if (!event) throw new Error('Mailgun reports one event at a time')
      const { id, tag, address, kind, at } = event
      const about = { id, timestamp: at.getTime() / 1000, recipient: address, 'user-variables': { mid: tag } }
      const signingKey = flaw === 'forged' ? strangers : ours
      const body = signedBody(
        { ...about, ...MAILGUN_KINDS[kind] },
        { signingKey, now: signedAt(flaw, LATE_BY_MAILGUN_MS), token: id },
      )
      return { headers: JSON_TYPE, body: Buffer.from(body) }
    },
  }
}

/** One event in a message of SNS, whose signature is checked by a certificate, and is the same on every try. */
export function sesScheme(sns: SnsSimulator): Scheme {
  const signed = new Map<string, Call>()

  function sign({ id, tag, address, kind, at }: Told, flaw: Flaw | null): Call {
    const letter = { from: 'mail@postrider.localhost', replyTo: [], subject: 'News', text: '', html: '' }
    const mail = { ...letter, to: [address], headers: {}, tags: { mid: tag } }
    const taken = { id: randomUUID(), mail, fate: 'delivered' } as const
    const envelope = sns.envelope(
      {
        MessageId: id,
        Message: JSON.stringify(sesReport(taken, SES_KINDS[kind], 'configuration-set', at)),
        Timestamp: new Date(signedAt(flaw, LATE_BY_SNS_MS)).toISOString(),
      },
      flaw === 'forged' ? { key: STRANGERS_KEY } : {},
    )
    const headers = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' }
    return { headers, body: Buffer.from(JSON.stringify(envelope)) }
  }

  return {
    key: sns.topicArn,
    batchMax: 1,
    oldStatus: 503,
    again: same,
    call([event], flaw) {
      if (!event) throw new Error('Amazon reports one event at a time')
      const call = signed.get(event.id) ?? sign(event, flaw)
      signed.set(event.id, call)
      return call
    },
  }
}
