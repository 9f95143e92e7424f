import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { EventKind, ProviderEvent, WebhookCall, WebhookReading } from './events.ts'
import { providersWords } from './mail-safety.ts'

const SIGNATURE = 'x-twilio-email-event-webhook-signature'
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp'
/** Longer than clocks differ and calls travel; whoever has overheard a call cannot bring it again after this. */
const TOLERANCE_MS = 5 * 60_000

/** Reads a call of SendGrid's event webhook; `publicKey` is the one that SendGrid shows beside it. */
export function readSendgridEvents(call: WebhookCall, publicKey: string): WebhookReading {
  const why = flawOf(call, publicKey)
  return why === null ? { kind: 'events', events: eventsIn(call.body) } : { kind: 'forged', why }
}

/** Whether this is what SendGrid shows as a verification key: an ECDSA public key on the curve P-256. */
export const isSendgridKey = (publicKey: string): boolean => keyFrom(publicKey) !== null

function flawOf({ headers, body, now }: WebhookCall, publicKey: string): string | null {
  const signature = onlyHeader(headers, SIGNATURE)
  const timestamp = onlyHeader(headers, TIMESTAMP)
  if (!signature || !timestamp) return 'The call carries no signature'
  if (!/^\d{1,12}$/.test(timestamp)) return 'The time of the signature is not one'
  if (Math.abs(Number(timestamp) * 1000 - now.getTime()) > TOLERANCE_MS)
    return 'The signature is too old, or of a time to come'
  const key = keyFrom(publicKey)
  if (!key) return 'There is no valid key to check the signature with'
  return isSigned(timestamp, body, signature, key) ? null : 'The signature does not fit the call'
}

/** Null also when it comes twice: nobody could tell which of them is meant. */
function onlyHeader(headers: WebhookCall['headers'], name: string): string | null {
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? value : [],
  )
  return values.length === 1 ? (values[0] ?? null) : null
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The bytes of the body as they came: written anew by us, they would mean the same and not be the same. */
function isSigned(timestamp: string, body: Buffer, signature: string, key: KeyObject): boolean {
  if (!BASE64.test(signature)) return false
  try {
    return verify(
      'sha256',
      Buffer.concat([Buffer.from(timestamp), body]),
      key,
      Buffer.from(signature, 'base64'),
    )
  } catch {
    return false
  }
}

/** Reading a key takes as long as checking a signature, and each account has the same one for years. */
const keys = new Map<string, KeyObject | null>()
const KEYS_MAX = 1_000
/** A P-256 key takes 124 characters; some paste it with the lines around it. */
const KEY_MAX = 400

function keyFrom(text: string): KeyObject | null {
  if (text.length > KEY_MAX) return null
  const known = keys.get(text)
  if (known !== undefined) return known
  const key = readKey(text)
  if (keys.size >= KEYS_MAX) keys.clear()
  keys.set(text, key)
  return key
}

function readKey(text: string): KeyObject | null {
  const base64 = text.replace(/-----(BEGIN|END) PUBLIC KEY-----/g, '').replace(/\s+/g, '')
  if (!BASE64.test(base64)) return null
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

/** Signed by SendGrid, so whatever cannot be read is of a kind that we do not know, and is passed over. */
function eventsIn(body: Buffer): ProviderEvent[] {
  let items: unknown
  try {
    items = JSON.parse(body.toString('utf8'))
  } catch {
    return []
  }
  if (!Array.isArray(items)) return []
  const events: ProviderEvent[] = []
  for (const item of items) {
    const event = eventOf(item)
    if (event) events.push(event)
  }
  return events
}

// Thousands of events come in a second, and each is looked at by hand: a schema would take several times as long.

type Item = Readonly<Record<string, unknown>>

const isItem = (item: unknown): item is Item =>
  typeof item === 'object' && item !== null && !Array.isArray(item)

/** The latest moment that a Date can hold, in seconds. */
const LATEST = 8_640_000_000_000

function eventOf(item: unknown): ProviderEvent | null {
  if (!isItem(item)) return null
  const { sg_event_id: id, timestamp, mid } = item
  if (typeof id !== 'string' || !/^[!-~]{1,200}$/.test(id)) return null
  if (typeof timestamp !== 'number' || !(timestamp >= 0 && timestamp <= LATEST)) return null
  const kind = kindOf(item)
  if (!kind) return null
  const tag = typeof mid === 'string' && /^[\w-]{1,256}$/.test(mid) ? mid : null
  return { id, tag, at: new Date(timestamp * 1000), words: wordsOf(item), ...kind }
}

function kindOf(item: Item): EventKind | null {
  switch (item['event']) {
    case 'processed':
      return { kind: 'accepted' }
    case 'delivered':
      return { kind: 'delivered' }
    case 'deferred':
      return { kind: 'deferred' }
    case 'bounce':
      return { kind: 'bounced', bounce: bounceOf(item) }
    case 'dropped':
      return { kind: 'failed' }
    case 'open':
      return { kind: 'opened', isMachine: item['sg_machine_open'] === true }
    case 'click':
      return { kind: 'clicked', isMachine: false, url: urlOf(item['url']) }
    case 'spamreport':
      return { kind: 'complained' }
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { kind: 'unsubscribed' }
    default:
      return null
  }
}

/** About the sender, or the way there: the mailbox may be as good as any. */
const NOT_THE_MAILBOX: ReadonlySet<unknown> = new Set([
  'Reputation',
  'Technical Failure',
  'Frequency or Volume Too High',
])

function bounceOf({ type, bounce_classification: classification }: Item): 'hard' | 'soft' | 'message' {
  if (classification === 'Content') return 'message'
  return type === 'blocked' || NOT_THE_MAILBOX.has(classification) ? 'soft' : 'hard'
}

/** The receiving server's words, or SendGrid's own where it did not send. */
function wordsOf({ reason, response, status }: Item): string | null {
  const said = [reason, response, status].find((words) => typeof words === 'string' && words !== '')
  return typeof said === 'string' ? providersWords(said) || null : null
}

const URL_MAX = 2_000

const urlOf = (url: unknown): string | null =>
  typeof url === 'string' && url.length <= URL_MAX && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) ? url : null
