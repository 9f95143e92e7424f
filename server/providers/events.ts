/** What happened to a mail after a provider took it, in the same words whoever the provider is. */
export type ProviderEvent = {
  /** Told apart by this: the same event may be reported any number of times. */
  id: string
  /** The tag that the mail left with (`tagOf`); null where the report carries none. */
  tag: string | null
  at: Date
  /** What the provider or the receiving server said, as one line; null where it said nothing. */
  words: string | null
} & EventKind

export type EventKind =
  /** Taken by the provider, and nothing more is known. */
  | { kind: 'accepted' }
  | { kind: 'delivered' }
  /** Not yet: the provider goes on trying. */
  | { kind: 'deferred' }
  /**
   * Came back. `hard`: there is no such mailbox. `soft`: it could be another time. `message`: refused for what the mail
   * is (too large, its content), or by one of several behind the address, which says nothing about the mailbox.
   */
  | { kind: 'bounced'; bounce: 'hard' | 'soft' | 'message' }
  /** The provider took it and then did not send it: on its own suppression list, over a quota, refused content. */
  | { kind: 'failed' }
  | { kind: 'complained' }
  /** `isMachine`: fetched by a proxy or a scanner, not by the person. */
  | { kind: 'opened'; isMachine: boolean }
  | { kind: 'clicked'; isMachine: boolean; url: string | null }
  | { kind: 'unsubscribed' }

/** A call to our webhook, exactly as it came: signatures cover the bytes, not what they mean. */
export type WebhookCall = {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
  now: Date
}

/** What such a call turned out to be. `forged` is all that does not carry a valid, fresh signature. */
export type WebhookReading =
  | { kind: 'events'; events: ProviderEvent[] }
  | { kind: 'forged'; why: string }
  /** Signed, but in a time so far away that the report is asked for again; `why` is for the log. */
  | { kind: 'untimely'; why: string }
  /** Amazon SNS asks whether this address wants its messages: the answer is a visit to this URL. */
  | { kind: 'confirmation'; url: URL; topic: string }

/** How far a signed time may lie from ours. Older calls could be repetitions of what somebody has listened to. */
const TOLERANCE_MS = 5 * 60_000

export const isRecent = (at: Date, now: Date): boolean =>
  Math.abs(now.getTime() - at.getTime()) <= TOLERANCE_MS

/** A header by its name in lower case; one that comes twice is as good as none. */
export function headerOf({ headers }: WebhookCall, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
