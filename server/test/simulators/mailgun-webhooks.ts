import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fate, TakenMail } from './mailgun-mail.ts'

/** Mailgun's reports of what became of its mails, signed and posted as it does. */

/** What an event has beyond the mail it is about. */
export type EventParts = { event: string } & Record<string, unknown>

export type Publication = {
  /** How often each is posted; Mailgun promises no "once". */
  times?: number
  /** In another order than they happened. */
  shuffled?: boolean
}

export type Publisher = {
  /** Posts the events that the fates of these mails bring. Resolves when all are taken or given up. */
  publishFates(mails: readonly TakenMail[], publication?: Publication): Promise<void>
  /** Posts one event of any kind about a mail of the ledger. */
  publish(mail: TakenMail, parts: EventParts, publication?: Publication): Promise<void>
  /** Every post that was made, with the status that it met; null when nobody answered. */
  posts: readonly { event: string; body: string; status: number | null }[]
}

type PublisherOptions = {
  url: URL
  signingKey: string
  now: () => number
  /** In place of Mailgun's minutes and hours; as many as there are, so often it tries again. */
  retryMs?: readonly number[]
}

/** A body with a signature of its own: `timestamp` in seconds, a token that no other call has. */
export function signedBody(
  eventData: Record<string, unknown>,
  { signingKey, now, token = randomBytes(25).toString('hex') }: SignedBodyParts,
): string {
  const timestamp = String(Math.floor(now / 1000))
  const signature = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex')
  return JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': eventData })
}
type SignedBodyParts = { signingKey: string; now: number; token?: string }

export function createPublisher(options: PublisherOptions): Publisher {
  const { url, signingKey, now, retryMs = [20, 40, 80] } = options
  const posts: { event: string; body: string; status: number | null }[] = []

  async function post(eventData: Record<string, unknown>): Promise<void> {
    const event = String(eventData['event'])
    // Whether Mailgun signs a repetition anew is not documented. The first signature again is harder to take.
    const body = signedBody(eventData, { signingKey, now: now() })
    // `delivered` is documented as not tried again.
    for (const wait of event === 'delivered' ? [null] : [...retryMs, null]) {
      const status = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).then(
        (response) => response.status,
        () => null,
      )
      posts.push({ event, body, status })
      const isOver = status === 406 || (status !== null && status >= 200 && status <= 299)
      if (isOver || wait === null) return
      await sleep(wait)
    }
  }

  async function postAll(events: readonly Record<string, unknown>[], publication: Publication = {}) {
    const { times = 1, shuffled = false } = publication
    const all = Array.from({ length: times }, () => events).flat()
    for (const event of shuffled ? shuffle(all) : all) await post(event)
  }

  const at = () => now() / 1000
  return {
    posts,
    publishFates: (mails, publication) =>
      postAll(
        mails.flatMap((mail) => eventsOf(mail.fate).map((parts) => eventData(mail, at(), parts))),
        publication,
      ),
    publish: (mail, parts, publication) => postAll([eventData(mail, at(), parts)], publication),
  }
}

const eventData = (mail: TakenMail, at: number, parts: EventParts): Record<string, unknown> => ({
  id: randomBytes(16).toString('base64url'),
  timestamp: at,
  'log-level': 'info',
  recipient: mail.recipient,
  'recipient-domain': mail.recipient.replace(/^.*@/, ''),
  message: {
    headers: {
      'message-id': mail.id,
      to: mail.mail.to.join(', '),
      from: mail.mail.from,
      subject: mail.mail.subject,
    },
    attachments: [],
    size: mail.mail.text.length + mail.mail.html.length,
  },
  envelope: { transport: 'smtp', targets: mail.recipient },
  flags: { 'is-routed': false, 'is-authenticated': true, 'is-system-test': false, 'is-test-mode': false },
  tags: [],
  'user-variables': mail.mail.variables,
  ...parts,
})

const CLIENT = { 'client-type': 'browser', 'client-os': 'Linux', 'user-agent': 'Mozilla/5.0', bot: '' }
const DELIVERED: EventParts = {
  event: 'delivered',
  'delivery-status': { code: 250, message: 'OK', 'attempt-no': 1 },
}
const failed = (severity: string, reason: string, code: number, message: string): EventParts => ({
  event: 'failed',
  severity,
  reason,
  'delivery-status': { code, message, description: '', 'attempt-no': 1 },
})

/** What Mailgun reports of a mail, in order. */
function eventsOf(fate: Fate): EventParts[] {
  const accepted: EventParts = { event: 'accepted', method: 'HTTP' }
  switch (fate) {
    case 'delivered':
      return [accepted, DELIVERED]
    case 'bounced':
      return [accepted, failed('permanent', 'bounce', 550, '5.1.1 No such user here')]
    case 'complained':
      return [accepted, DELIVERED, { event: 'complained' }]
    case 'suppressed':
      return [
        accepted,
        failed('permanent', 'suppress-bounce', 605, 'Not delivering to previously bounced address'),
      ]
    case 'deferred':
      return [accepted, failed('temporary', 'generic', 451, '4.7.1 Greylisted'), DELIVERED]
    case 'blocked':
      return [accepted, failed('permanent', 'espblock', 550, '5.7.1 Blocked by policy')]
    case 'rejected':
      return [
        {
          event: 'rejected',
          reject: { reason: 'Free accounts are for test purposes only', description: '' },
        },
      ]
    case 'opened':
      return [accepted, DELIVERED, { event: 'opened', 'client-info': CLIENT }]
    case 'clicked':
      return [
        accepted,
        DELIVERED,
        { event: 'clicked', 'client-info': CLIENT, url: 'https://product.localhost/' },
      ]
    case 'unsubscribed':
      return [accepted, DELIVERED, { event: 'unsubscribed', 'client-info': CLIENT }]
  }
}

/** The same disorder every time, so that a failing test fails again. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, rank: (index * 7919 + 104_729) % 1013 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
