import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { isRecent } from './events.ts'

/** Digits only: they stand before the token in what is signed, and nothing may slip from one into the other. */
export const MailgunProof = z.object({
  timestamp: z.string().regex(/^\d{1,12}$/),
  token: z.string().min(1).max(200),
  signature: z.string().regex(/^[\da-f]{64}$/i),
})
export type MailgunProof = z.infer<typeof MailgunProof>

/**
 * For about eight hours Mailgun comes again with what was not taken. It does not say whether it signs each try anew, and
 * others have seen the first signature again: refused for its age, a complaint would be lost whenever we were away.
 */
const RETRIES_MS = 9 * 3600_000

/** What speaks against this proof; null for nothing. It covers a time and a token, and nothing of what comes with it. */
export function mailgunFlaw(proof: MailgunProof, signingKey: string, now: Date): string | null {
  const { timestamp, token, signature } = proof
  // Anyone can sign with an empty key.
  if (signingKey === '') return 'there is no signing key to check it by'
  const expected = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'the signature does not fit'
  const signedAt = new Date(Number(timestamp) * 1000)
  const age = now.getTime() - signedAt.getTime()
  // Who uses it sees to it that a token stands for one thing; but a call that was listened in on must not serve for ever.
  const isInTime = isRecent(signedAt, now) || (age > 0 && age <= RETRIES_MS)
  return isInTime ? null : 'it was signed too long ago, or in the future'
}
