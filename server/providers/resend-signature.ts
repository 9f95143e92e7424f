import { createHmac, timingSafeEqual } from 'node:crypto'
import { headerOf, isRecent, type WebhookCall } from './events.ts'

/** A call of Resend whose signature holds. `id` is the same when the call is repeated. */
type ResendCall = { id: string; at: Date }

/**
 * The call, or why it is none of Resend's. It is signed as Svix and Standard Webhooks do. Of several secrets (each
 * webhook at Resend has its own) and of several signatures (while a secret is being replaced) one has to be right.
 */
export function readResendCall(call: WebhookCall, secrets: string): ResendCall | string {
  const id = header(call, 'id')
  const timestamp = header(call, 'timestamp')
  const signature = header(call, 'signature')
  if (!id || !timestamp || !signature) return 'it is not signed'
  const at = new Date(Number(timestamp) * 1000)
  if (!/^\d{1,12}$/.test(timestamp) || !isRecent(at, call.now)) return 'its time is not now'
  const keys = keysIn(secrets)
  if (keys.length === 0) return 'there is no secret to check it by'
  const signatures = signature.split(' ')
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(call.body).digest()
    return signatures.some((one) => matches(one, expected))
  })
  return isSigned ? { id, at } : 'its signature is wrong'
}

const header = (call: WebhookCall, name: string): string =>
  headerOf(call, `svix-${name}`) ?? headerOf(call, `webhook-${name}`) ?? ''

/** Anyone can sign with an empty key. */
const keysIn = (secrets: string): Buffer[] =>
  secrets
    .split(/[\s,]+/)
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .filter((key) => key.length > 0)

function matches(text: string, expected: Buffer): boolean {
  const [version, encoded = ''] = text.split(',')
  const given = Buffer.from(encoded, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}
