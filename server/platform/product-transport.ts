/**
 * Who may read the local mailbox. `everybody`: the operator turned it on by name, and it may be read under the public
 * address and through a proxy.
 */
export type MailboxReaders = 'nobody' | 'this-machine' | 'everybody'

/** The way the product's own mail leaves (codes, links), and the default for what users send. */
export type ProductTransport =
  | { kind: 'local-mailbox'; readers: MailboxReaders }
  | { kind: 'smtp'; url: URL }
  | { kind: 'resend'; apiKey: string; baseUrl: URL; webhookSecret: string | null }
