import { z } from 'zod'
import { DeliveryState, NEXT_CURSOR_HEADER } from './campaigns.ts'
import { DateTime } from './date-time.ts'

/** Mail that comes back: read, kept in order, and answered. */

export { NEXT_CURSOR_HEADER }
export const INBOX_PAGE = 50
export const REPLY_MAX = 100_000
/** With a plus and a token of 48 letters it still is a name that every mail server takes (64). */
export const INBOX_NAME_MAX = 15
export const INBOX_NAME_MIN = 3

/** `automatic`: out-of-office notes and the like, which nobody needs to answer. */
export const INBOX_FOLDERS = ['inbox', 'archived', 'automatic'] as const
export const InboxFolder = z.enum(INBOX_FOLDERS)
export type InboxFolder = z.infer<typeof InboxFolder>

export const InboxItem = z.object({
  messageId: z.string(),
  inboxId: z.string(),
  from: z.object({ name: z.string(), email: z.string() }),
  /** In a list the first 20. */
  to: z.array(z.object({ email: z.string() })),
  subject: z.string(),
  preview: z.string(),
  timestamp: DateTime,
  isUnread: z.boolean(),
  folder: InboxFolder,
  /** Written by a machine or to a list. */
  isAutomatic: z.boolean(),
  attachmentCount: z.number(),
  /** The campaign that it answers. */
  campaign: z.object({ id: z.string(), subject: z.string() }).nullable(),
})
export type InboxItem = z.output<typeof InboxItem>

/** `GET /api/inbox/list`: newest first; the next page's cursor in the header `X-Next-Cursor`. */
export const InboxQuery = z.strictObject({
  folder: InboxFolder.default('inbox'),
  /** Those that answer this campaign, in whichever folder they are; not together with `q`. */
  campaign: z.uuid().optional(),
  /** Words of sender, subject and text; the last one may be the beginning of a word. */
  q: z
    .string()
    .trim()
    .max(200)
    .refine((text) => !text.includes('\0'))
    .optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(INBOX_PAGE).default(INBOX_PAGE),
})
export type InboxQuery = z.infer<typeof InboxQuery>

/**
 * Why mail did not get in. `daily-limit`, `no-room`: its senders were asked to try again later. `too-large`,
 * `not-brought`: it stayed with the provider. `not-fetched`: it was asked for in vain, and may come yet.
 */
export const MissedReason = z.enum(['daily-limit', 'no-room', 'too-large', 'not-brought', 'not-fetched'])
export type MissedReason = z.infer<typeof MissedReason>
export const MissedMail = z.object({
  reason: MissedReason,
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
})
export type MissedMail = z.infer<typeof MissedMail>

/** `GET /api/inbox/summary` */
export const InboxSummary = z.object({
  unread: z.object({ inbox: z.number(), automatic: z.number() }),
  /** Of the last seven days, the latest first. */
  missed: z.array(MissedMail),
})
export type InboxSummary = z.infer<typeof InboxSummary>

export const Attachment = z.object({ name: z.string(), type: z.string(), size: z.number() })
export type Attachment = z.infer<typeof Attachment>

/** One of the other messages of a conversation, oldest first: received, or a mail of our own. */
export const ConversationEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('received'),
    messageId: z.string(),
    from: z.object({ name: z.string(), email: z.string() }),
    preview: z.string(),
    timestamp: DateTime,
  }),
  z.object({
    kind: z.literal('sent'),
    campaignId: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    timestamp: DateTime,
    /** What became of it. */
    state: DeliveryState,
    reason: z.string().nullable(),
  }),
])
export type ConversationEntry = z.output<typeof ConversationEntry>

/** `GET /api/inbox/message/{inboxId}/{messageId}`. Its HTML for a frame is at `…/html?images=true`. */
export const InboxMessage = InboxItem.extend({
  /** Cleaned: nothing in it runs, and nothing in it is fetched. */
  html: z.string().nullable(),
  text: z.string().nullable(),
  cc: z.array(z.object({ email: z.string() })),
  /** The date that the mail gives itself, where it gives one. */
  sentDate: DateTime.nullable(),
  hasRemoteImages: z.boolean(),
  /** False: something of it is in its source alone: files beyond those that are listed, the end of a very long text. */
  isReadable: z.boolean(),
  attachments: z.array(Attachment),
  /** Whom an answer goes to; null where there is nobody to answer. */
  answersTo: z.string().nullable(),
  conversation: z.array(ConversationEntry),
})
export type InboxMessage = z.output<typeof InboxMessage>

/** `PATCH /api/inbox/message/{inboxId}/{messageId}` */
export const ChangeMessageRequest = z.strictObject({
  isUnread: z.boolean().optional(),
  /** An automatic reply goes back to where it was, not to the inbox. */
  isArchived: z.boolean().optional(),
})
export type ChangeMessageRequest = z.infer<typeof ChangeMessageRequest>

/** `POST /api/inbox/reply`, with `Idempotency-Key` or without: the same words twice within a minute are one reply. */
export const ReplyRequest = z.strictObject({
  inboxId: z.string().max(100),
  messageId: z.string().max(100),
  /** Not blank: the server refuses that in words. */
  text: z.string().max(REPLY_MAX),
})
export type ReplyRequest = z.infer<typeof ReplyRequest>
/** The reply is a campaign to one person. */
export const ReplyResponse = z.object({ id: z.string() })
export type ReplyResponse = z.infer<typeof ReplyResponse>

/** `GET` and `PUT /api/inbox/address`: it can be changed once; mail to the old one still arrives. */
export const InboxAddress = z.object({
  address: z.string(),
  isChangeable: z.boolean(),
  /** False where this installation receives no mail. */
  isReceiving: z.boolean(),
})
export type InboxAddress = z.infer<typeof InboxAddress>
export const ChangeAddressRequest = z.strictObject({
  /** What stands before the @. */
  name: z.string().trim().toLowerCase().min(INBOX_NAME_MIN).max(INBOX_NAME_MAX),
})
export type ChangeAddressRequest = z.infer<typeof ChangeAddressRequest>

/** It has been deleted. */
export const MessageGone = z.object({ messageId: z.string(), isGone: z.literal(true) })
export type MessageGone = z.infer<typeof MessageGone>
/** What `GET /api/events` sends under the name `message` when mail has arrived, or something has become of it. */
export const MessageNews = z.union([MessageGone, InboxItem])
export type MessageNews = z.output<typeof MessageNews>
