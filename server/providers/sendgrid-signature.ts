import { createPublicKey, createVerify, type KeyObject } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
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

type SendgridProof = { flaw: string } | { flaw: null; signedAt: Date }

/** Whether SendGrid has signed this call, whenever that was. */
export async function sendgridProof(
  { headers, body }: WebhookCall,
  publicKeys: string,
): Promise<SendgridProof> {
  const signature = onlyHeader(headers, SIGNATURE)
  const timestamp = onlyHeader(headers, TIMESTAMP)
  if (!signature || !timestamp) return { flaw: 'The call carries no signature' }
  if (!/^\d{1,12}$/.test(timestamp)) return { flaw: 'The time of the signature is not one' }
  const keys = keysFrom(publicKeys)
  if (!keys) return { flaw: 'There is no valid key to check the signature with' }
  const isSigned = BASE64.test(signature) && (await fits(signature, keys, [timestamp, body]))
  if (!isSigned) return { flaw: 'The signature does not fit the call' }
  return { flaw: null, signedAt: new Date(Number(timestamp) * 1000) }
}

/** What speaks against this call's being SendGrid's, and of now; null for nothing. */
export async function sendgridFlaw(call: WebhookCall, publicKeys: string): Promise<string | null> {
  const proof = await sendgridProof(call, publicKeys)
  if (proof.flaw !== null) return proof.flaw
  const isTimely = Math.abs(proof.signedAt.getTime() - call.now.getTime()) <= TOLERANCE_MS
  return isTimely ? null : 'The signature is too old, or of a time to come'
}

/** Null also when it comes twice: nobody could tell which of them is meant. */
function onlyHeader(headers: WebhookCall['headers'], name: string): string | null {
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? value : [],
  )
  return values.length === 1 ? (values[0] ?? null) : null
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Hashed without a pause, which takes about a millisecond. A received mail may have thirty of these. */
const STRETCH = 1_000_000

/** The bytes of the body as they came: written anew by us, they would mean the same and not be the same. */
async function fits(
  signature: string,
  keys: readonly KeyObject[],
  [timestamp, body]: [string, Buffer],
): Promise<boolean> {
  const checks = keys.map((key) => ({ key, check: createVerify('sha256').update(timestamp) }))
  for (let from = 0; from < body.length; from += STRETCH) {
    if (from > 0) await setImmediate()
    for (const { check } of checks) check.update(body.subarray(from, from + STRETCH))
  }
  try {
    return checks.some(({ key, check }) => check.verify(key, signature, 'base64'))
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
