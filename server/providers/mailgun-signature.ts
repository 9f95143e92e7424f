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

/** What speaks against this proof; null for nothing. It covers a time and a token, and nothing of what comes with it. */
export function mailgunFlaw(proof: MailgunProof, signingKey: string, now: Date): string | null {
  const { timestamp, token, signature } = proof
  // Anyone can sign with an empty key.
  if (signingKey === '') return 'there is no signing key to check it by'
  const expected = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'the signature does not fit'
  // Mailgun retries with patience, but a call that was listened in on must not serve for ever.
  const isFresh = isRecent(new Date(Number(timestamp) * 1000), now)
  return isFresh ? null : 'it was signed too long ago, or in the future'
}
