import { createPublicKey, createVerify, type KeyObject } from 'node:crypto'
import type { WebhookCall } from './events.ts'

const SIGNATURE = 'x-twilio-email-event-webhook-signature'
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp'
/** Longer than clocks differ and calls travel; whoever has overheard a call cannot bring it again after this. */
const TOLERANCE_MS = 5 * 60_000

/**
 * Whether these are what SendGrid shows as verification keys: ECDSA public keys on the curve P-256. The event webhook and
 * the security policy of received mail have one each, so that an account may have several.
 */
export const areSendgridKeys = (publicKeys: string): boolean => keysFrom(publicKeys) !== null

/** What speaks against this call's being SendGrid's; null for nothing. */
export function sendgridFlaw({ headers, body, now }: WebhookCall, publicKeys: string): string | null {
  const signature = onlyHeader(headers, SIGNATURE)
  const timestamp = onlyHeader(headers, TIMESTAMP)
  if (!signature || !timestamp) return 'The call carries no signature'
  if (!/^\d{1,12}$/.test(timestamp)) return 'The time of the signature is not one'
  if (Math.abs(Number(timestamp) * 1000 - now.getTime()) > TOLERANCE_MS)
    return 'The signature is too old, or of a time to come'
  const keys = keysFrom(publicKeys)
  if (!keys) return 'There is no valid key to check the signature with'
  const fits = keys.some((key) => isSigned(timestamp, body, signature, key))
  return fits ? null : 'The signature does not fit the call'
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
    // A received mail may be large: in two pieces it need not be copied.
    return createVerify('sha256').update(timestamp).update(body).verify(key, signature, 'base64')
  } catch {
    return false
  }
}

/** Reading a key takes as long as checking a signature, and each account has the same ones for years. */
const known = new Map<string, readonly KeyObject[] | null>()
const KNOWN_MAX = 1_000
/** A P-256 key takes 124 characters; some paste it with the lines around it. */
const TEXT_MAX = 1_000
const KEYS_MAX = 4

function keysFrom(text: string): readonly KeyObject[] | null {
  if (text.length > TEXT_MAX) return null
  const read = known.get(text)
  if (read !== undefined) return read
  const keys = readKeys(text)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, keys)
  return keys
}

/** Null unless each of them is one. A line break may stand anywhere in a key, so that only its own end parts it. */
function readKeys(text: string): readonly KeyObject[] | null {
  const base64 = text.replace(/-----(BEGIN|END) PUBLIC KEY-----/g, '').replace(/[\s,]+/g, '')
  if (!/^(?:[A-Za-z0-9+/]+={1,2})*[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const keys = (base64.match(/[A-Za-z0-9+/]+={0,2}/g) ?? []).map(readKey)
  return keys.length <= KEYS_MAX && keys.every((key) => key !== null) ? keys : null
}

function readKey(base64: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}
