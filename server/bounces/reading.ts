import type { Header } from './mail-headers.ts'

/** What befell the mail, as a list of addresses must know it. */
export type BounceKind = 'hard' | 'soft' | 'complaint' | 'none'

/** RFC 3464: what the reporting server did. Reports invent others; those count as failed where a code says so. */
export type ReportAction = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'

/** Why. Only the first four speak of the address; the others are about the mail, the sender or the moment. */
export type BounceCause =
  | 'no-such-mailbox'
  | 'no-such-domain'
  | 'disabled'
  | 'moved'
  | 'full'
  | 'too-large'
  | 'content'
  | 'blocked'
  | 'policy'
  | 'authentication'
  | 'greylisted'
  | 'temporary'
  | 'expired'
  | 'relaying'
  | 'loop'
  | 'network'
  | 'unknown'

/** One address of a report; a report may tell of several. */
export type ReportedRecipient = {
  /** The address that failed, which after forwarding is not the one that was written to. */
  address: string
  /** The address as the sender wrote it, where the report names it apart. */
  originalAddress: string | null
  kind: BounceKind
  action: ReportAction | null
  /** RFC 3463, the most telling that was found. */
  status: string | null
  cause: BounceCause | null
  /** The server's own words. */
  diagnostic: string | null
  /** One sentence for a person. */
  reason: string | null
}

export type BounceReading = {
  kind: BounceKind
  recipient: string | null
  status: string | null
  reason: string | null
  cause: BounceCause | null
  action: ReportAction | null
  diagnostic: string | null
  /** Everybody the report tells of, the one above included. */
  recipients: ReportedRecipient[]
  /** RFC 5965, in small letters; null unless it is a feedback report. */
  feedbackType: string | null
  /** A vacation note or another answer by rule (RFC 3834). */
  isAutoReply: boolean
  /** What the report gives back of the mail it is about; a feedback report also its envelope sender. */
  original: { messageId: string | null; headers: Header[]; mailFrom?: string }
}

export const NOTHING: BounceReading = {
  kind: 'none',
  recipient: null,
  status: null,
  reason: null,
  cause: null,
  action: null,
  diagnostic: null,
  recipients: [],
  feedbackType: null,
  isAutoReply: false,
  original: { messageId: null, headers: [] },
}
