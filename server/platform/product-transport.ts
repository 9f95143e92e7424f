/** The way the product's own mail leaves (codes, links), and the default for what users send. */
export type ProductTransport =
  /** `isOpen`: the operator said so, and it may be read under the public address too. */
  | { kind: 'local-mailbox'; isOpen: boolean }
  | { kind: 'smtp'; url: URL }
  | { kind: 'resend'; apiKey: string; baseUrl: URL; webhookSecret: string | null }
