import { z } from 'zod'
import { DateTime } from './date-time.ts'
import { RECIPIENT_MAX, RECIPIENTS_MAX, typedEntries } from './typed-entries.ts'

export { RECIPIENT_MAX, RECIPIENTS_MAX }
export const SUBJECT_MAX = 998
/** Some fifty pages; mail programs cut off letters much shorter than that. */
export const BODY_MAX = 100_000
export const SENDER_NAME_MAX = 200
/** The longest request that is read: 100,000 ordinary addresses need about 3 MB. */
export const SEND_BODY_LIMIT = 16 * 1024 * 1024
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
export const NEXT_CURSOR_HEADER = 'x-next-cursor'
/** A history entry names at most so many recipients; `recipientCount` always tells how many there are. */
export const SHOWN_RECIPIENTS = 100
const HISTORY_PAGE = 100
const DELIVERIES_PAGE_MAX = 500

export const SendEmailRequest = z.strictObject({
  recipients: typedEntries('recipients', { min: 1 }),
  subject: z.string().trim().min(1).max(SUBJECT_MAX),
  body: z.string().max(BODY_MAX),
  senderName: z.string().trim().max(SENDER_NAME_MAX).optional(),
  replyTo: z.string().trim().max(320).optional(),
  templateId: z.string().max(100).optional(),
  /** The draft that this was written in; it goes with the send, in the same transaction. */
  draftId: z.uuid().optional(),
  /**
   * The `updatedAt` of the draft's state that was known where this was written, or null for none: another state, which
   * was saved elsewhere, stays. Whoever leaves it out discards whatever is there.
   */
  draftBasedOn: z.iso.datetime().nullish(),
})
export type SendEmailRequest = z.infer<typeof SendEmailRequest>

export const SendEmailResponse = z.object({
  id: z.string(),
  recipients: z.number(),
  suppressed: z.array(z.string()),
})
export type SendEmailResponse = z.infer<typeof SendEmailResponse>

export const CampaignStatus = z.enum(['sent', 'failed', 'pending'])
export type CampaignStatus = z.infer<typeof CampaignStatus>
export const CampaignState = z.enum(['sending', 'paused', 'cancelled', 'done'])
export type CampaignState = z.infer<typeof CampaignState>

export const DeliveryCounts = z.object({
  queued: z.number(),
  inFlight: z.number(),
  accepted: z.number(),
  failed: z.number(),
  unknown: z.number(),
  suppressed: z.number(),
  cancelled: z.number(),
})
export type DeliveryCounts = z.infer<typeof DeliveryCounts>

export const HistoryEntry = z.object({
  id: z.string(),
  subject: z.string(),
  recipients: z.array(z.string()),
  recipientCount: z.number(),
  body: z.string(),
  senderName: z.string(),
  replyTo: z.string(),
  sentDate: DateTime,
  /** How often it was sent, in whole or in part. */
  round: z.number(),
  status: CampaignStatus,
  successfulCount: z.number(),
  unconfirmedCount: z.number(),
  deliveredCount: z.number(),
  /** Some were counted when a plain SMTP server took them, which reports no deliveries. */
  isDeliveryPresumed: z.boolean(),
  bouncedCount: z.number(),
  complainedCount: z.number(),
  openedCount: z.number(),
  /** Fetched by a privacy proxy or a scanner; whether somebody has read it nobody knows. Not in `openedCount`. */
  machineOpenedCount: z.number(),
  unsubscribedCount: z.number(),
  counts: DeliveryCounts,
  state: CampaignState,
  pausedReason: z.string().nullable(),
  /** Paused by an outage, it goes on when the provider is back; any other pause waits for a person. */
  resumesItself: z.boolean(),
  /** Older than the copy of a database that it stands in: what the original did since is not known here. */
  isRestored: z.boolean(),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

export const CampaignDetail = HistoryEntry.extend({
  /** The address that mail leaves from. */
  fromAddress: z.string(),
  /** How many messages in the inbox answer it, and how many of those a machine wrote. */
  replies: z.object({ all: z.number(), automatic: z.number() }),
})
export type CampaignDetail = z.output<typeof CampaignDetail>

/** NUL is in no text that PostgreSQL keeps, and no text that it takes. */
const searchText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !text.includes('\0'))

export const HistoryQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(HISTORY_PAGE).default(HISTORY_PAGE),
  cursor: z.string().max(200).optional(),
  q: searchText(200).optional(),
  status: CampaignStatus.optional(),
  /** Sent at or after this moment, and before that one. */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})
export type HistoryQuery = z.infer<typeof HistoryQuery>

/** Everybody a campaign went to, as they were typed: for sending it again. */
export const CampaignRecipients = z.object({ recipients: z.array(z.string()) })
export type CampaignRecipients = z.infer<typeof CampaignRecipients>

export const DELIVERY_STATES = [
  'queued',
  'inFlight',
  'accepted',
  'failed',
  'unknown',
  'suppressed',
  'cancelled',
] as const
export const DeliveryState = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof DeliveryState>

/** A campaign as it stood when a person was shown who is unconfirmed. Nobody joins them without changing one of these. */
export const ShownUnconfirmed = z.strictObject({
  round: z.int().min(0),
  counts: z.record(DeliveryState, z.int().min(0)),
})
export type ShownUnconfirmed = z.infer<typeof ShownUnconfirmed>

/** `POST /api/email-history/{id}/retry-unconfirmed` */
export const RetryUnconfirmedRequest = z.strictObject({
  shown: ShownUnconfirmed.optional().describe(
    'The `round` and `counts` that the campaign had when its unconfirmed addresses were shown. They may get the mail twice, so nobody is mailed if the campaign stands otherwise by now: the answer is 409. Whoever leaves this out vouches for having shown them. While mails of the campaign are in flight the answer is always 409.',
  ),
})
export type RetryUnconfirmedRequest = z.infer<typeof RetryUnconfirmedRequest>

export const Delivery = z.object({
  address: z.string(),
  state: DeliveryState,
  reason: z.string().nullable(),
  attempts: z.number(),
  /** What Postrider calls the mail: its Message-ID by SMTP. Other providers write their own in its place. */
  messageId: z.string(),
  /** What the provider calls it: an id of its own, or by SMTP the relay's words as it took the mail. */
  providerId: z.string().nullable(),
  /** When the latest try began. */
  triedAt: DateTime.nullable(),
  acceptedAt: DateTime.nullable(),
  deliveredAt: DateTime.nullable(),
  /** When it came back, or when the provider did not send it, which is counted as well. */
  bouncedAt: DateTime.nullable(),
  complainedAt: DateTime.nullable(),
  openedAt: DateTime.nullable(),
  /** The provider took it and then did not send it: it did not bounce, and its `reason` says so. */
  isUnsent: z.boolean(),
})
export type Delivery = z.output<typeof Delivery>

export const DeliveriesQuery = z.strictObject({
  state: DeliveryState.optional(),
  q: searchText(320).optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(DELIVERIES_PAGE_MAX).default(DELIVERIES_PAGE_MAX),
})
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>

export const DeliveriesPage = z.object({ items: z.array(Delivery), nextCursor: z.string().nullable() })
export type DeliveriesPage = z.output<typeof DeliveriesPage>

/** What `GET /api/events` sends under the name `campaign` whenever a campaign of the user has moved. */
export const CampaignProgress = z.object({
  id: z.string(),
  round: z.number(),
  status: CampaignStatus,
  state: CampaignState,
  pausedReason: z.string().nullable(),
  /** Paused by an outage, it goes on when the provider is back; any other pause waits for a person. */
  resumesItself: z.boolean(),
  counts: DeliveryCounts,
  successfulCount: z.number(),
  unconfirmedCount: z.number(),
  deliveredCount: z.number(),
  /** Some were counted when a plain SMTP server took them, which reports no deliveries. */
  isDeliveryPresumed: z.boolean(),
  bouncedCount: z.number(),
  complainedCount: z.number(),
  openedCount: z.number(),
  /** Fetched by a privacy proxy or a scanner; whether somebody has read it nobody knows. Not in `openedCount`. */
  machineOpenedCount: z.number(),
  unsubscribedCount: z.number(),
})
export type CampaignProgress = z.infer<typeof CampaignProgress>
