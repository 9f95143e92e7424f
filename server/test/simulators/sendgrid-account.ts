import type { IncomingMessage } from 'node:http'
import { type Answer, refusal } from './sendgrid-mail.ts'

/** What an account at SendGrid knows of itself: its key, what the key may do, who may send. */
export type SendgridAccount = {
  apiKey: string
  scopes: readonly string[]
  senders: readonly { email: string; verified: boolean }[]
  domains: readonly { domain: string; valid: boolean }[]
}

/** The names of the two rights to read are ours: clients are told apart by what they are answered, not by these. */
const ALL_SCOPES = [
  'mail.send',
  'sender_verification_eligible',
  'sender_verification.read',
  'whitelabel.read',
]

export const anAccount = (parts: Partial<SendgridAccount> = {}): SendgridAccount => ({
  apiKey: 'SG.simulated_key',
  scopes: ALL_SCOPES,
  senders: [],
  domains: [{ domain: 'postrider.localhost', valid: true }],
  ...parts,
})

export function turnedAway({ headers }: IncomingMessage, { apiKey }: SendgridAccount): Answer | null {
  if (!headers.authorization) return refusal(401, 'authorization required')
  if (headers.authorization !== `Bearer ${apiKey}`)
    return refusal(401, 'The provided authorization grant is invalid, expired, or revoked')
  if (!headers.accept) return refusal(406, 'not acceptable')
  return null
}

export const FORBIDDEN = refusal(403, 'access forbidden')

/** The questions that change nothing; null where there is no such question. */
export function answerQuestion(url: URL, account: SendgridAccount): Answer | null {
  const may = (scope: string, body: () => unknown): Answer =>
    account.scopes.includes(scope) ? { status: 200, body: body() } : FORBIDDEN
  const limit = Number(url.searchParams.get('limit') ?? 100)
  switch (url.pathname) {
    case '/v3/scopes':
      return { status: 200, body: { scopes: account.scopes } }
    case '/v3/verified_senders':
      return may('sender_verification.read', () => ({
        results: account.senders.slice(0, limit).map(({ email, verified }, id) => ({
          id,
          nickname: email,
          from_email: email,
          verified,
          locked: false,
        })),
      }))
    case '/v3/whitelabel/domains':
      return may('whitelabel.read', () =>
        account.domains.slice(0, limit).map(({ domain, valid }, id) => ({
          id,
          user_id: 1,
          subdomain: `em${id}`,
          domain,
          valid,
          default: id === 0,
        })),
      )
    default:
      return null
  }
}

/** An address of its own, or any at a domain that is authenticated. */
export function maySendFrom(from: string, { senders, domains }: SendgridAccount): boolean {
  const address = from.toLowerCase()
  return (
    senders.some(({ email, verified }) => verified && email.toLowerCase() === address) ||
    domains.some(({ domain, valid }) => valid && address.endsWith(`@${domain.toLowerCase()}`))
  )
}

export const UNVERIFIED_FROM = refusal(
  403,
  'The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.',
  'from',
)
