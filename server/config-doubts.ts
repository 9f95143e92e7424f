import { isLoopback } from './platform/network-address.ts'
import type { ProductTransport } from './platform/product-transport.ts'

type Settings = {
  transport: ProductTransport
  mailFrom: string
  publicUrl: URL
  /** Whether the key of a Resend account is set, used or not. */
  hasResendKey: boolean
  host: string
  roles: ReadonlySet<string>
  inbound: { port: number; isWished: boolean; domain: string }
}

/**
 * What is allowed and serves on a laptop, but hardly what is meant where mail leaves the machine: a sentence each, with
 * its cure. Left unsaid, a relay would refuse a whole campaign before anybody finds out.
 */
export function doubtsAbout(settings: Settings): string[] {
  const { transport, mailFrom, publicUrl, hasResendKey, host, roles, inbound } = settings
  if (transport.kind === 'local-mailbox') return []
  const doubts: string[] = []
  if (/[@.]localhost$/i.test(mailFrom))
    doubts.push(
      `Mail leaves as ${mailFrom}, which most refuse: set MAIL_FROM, for example MAIL_FROM=mail@example.com`,
    )
  if (isLoopback(publicUrl.hostname))
    doubts.push(
      `Links in mails lead to ${publicUrl.origin}, this machine: set PUBLIC_URL, such as https://mail.example.com`,
    )
  if (transport.kind === 'smtp' && hasResendKey)
    doubts.push('RESEND_API_KEY is not used, since SMTP_URL is set: remove one of the two')
  if (inbound.isWished && inbound.port > 0 && roles.has('inbound') && isLoopback(host))
    doubts.push(
      `Mail to ${inbound.domain} is received on HOST=${host}, which no other machine reaches: set HOST=0.0.0.0, or INBOUND_SMTP_PORT=0 where a provider receives it`,
    )
  return doubts
}
