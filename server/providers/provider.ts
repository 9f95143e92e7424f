/** One copy of a mail, addressed to one person, as it shall leave. */
export type OutgoingMail = {
  /** The same on every try, so that a provider or a mailbox can tell a repetition from a second mail. */
  idempotencyKey: string
  messageId: string
  from: { name: string; address: string }
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
}

/**
 * What a provider said of one mail. `unknown` means that it may or may not have been taken: the caller decides
 * whether a second copy or none is the lesser evil.
 */
export type Outcome =
  | { kind: 'accepted'; id: string }
  | { kind: 'rejected'; reason: string }
  | { kind: 'try-later'; reason: string; afterMs: number | null }
  | { kind: 'unknown'; reason: string }

export interface Provider {
  readonly name: string
  /** One outcome for each mail, in the same order. Expected failures are outcomes; only a bug throws. */
  send(batch: readonly OutgoingMail[], signal: AbortSignal): Promise<Outcome[]>
  /** Lets go of pooled connections. */
  close(): Promise<void>
}
