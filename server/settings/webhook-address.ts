import { type Secrets, sameBytes } from '../platform/secrets.ts'

/**
 * Where a user's provider reports to. The token in it names the user and is signed, so that nobody finds another one's
 * address by trying; that a report is genuine is proven by its own signature.
 */
export type WebhookAddresses = {
  urlOf(provider: string, userId: string): string
  /** The user that a token names, or null. */
  userOf(token: string): string | null
}

const ID_BYTES = 16
const PROOF_BYTES = 16

export function createWebhookAddresses({
  secrets,
  publicUrl,
}: {
  secrets: Secrets
  publicUrl: URL
}): WebhookAddresses {
  const proof = (id: Buffer): Buffer => secrets.sign('webhook', id.toString('hex')).subarray(0, PROOF_BYTES)

  return {
    urlOf(provider, userId) {
      const id = Buffer.from(userId.replaceAll('-', ''), 'hex')
      const token = Buffer.concat([id, proof(id)]).toString('base64url')
      return new URL(`/api/webhooks/${provider}/${token}`, publicUrl).href
    },
    userOf(token) {
      const bytes = Buffer.from(token, 'base64url')
      // Only its one spelling: others that decode to the same bytes are not ours.
      if (bytes.length !== ID_BYTES + PROOF_BYTES || bytes.toString('base64url') !== token) return null
      const id = bytes.subarray(0, ID_BYTES)
      if (!sameBytes(bytes.subarray(ID_BYTES), proof(id))) return null
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
