import { z } from 'zod'
import { NEXT_CURSOR_HEADER, RECIPIENT_MAX, RECIPIENTS_MAX, SEND_BODY_LIMIT } from './campaigns.ts'
import { DateTime } from './date-time.ts'
import { typedEntries } from './typed-entries.ts'

/** The list of those that a user does not write to any more, and why. */

export const SUPPRESSIONS_MAX = RECIPIENTS_MAX
export const SUPPRESSIONS_BODY_LIMIT = SEND_BODY_LIMIT
export const SUPPRESSIONS_PAGE = 100
export { NEXT_CURSOR_HEADER }

export const SUPPRESSION_REASONS = [
  'hard-bounce',
  'soft-bounces',
  'complaint',
  'unsubscribed',
  'manual',
] as const
export const SuppressionReason = z.enum(SUPPRESSION_REASONS)
export type SuppressionReason = z.infer<typeof SuppressionReason>

export const Suppression = z.object({
  address: z.string(),
  reason: SuppressionReason,
  /** What the other side said, where it said something. */
  words: z.string().nullable(),
  /** The campaign whose mail caused it; null for what was added by hand, or when it is gone. */
  campaign: z.object({ id: z.string(), subject: z.string() }).nullable(),
  since: DateTime,
})
export type Suppression = z.output<typeof Suppression>

/** `GET /api/suppressions`: newest first; the next page's cursor in the header `X-Next-Cursor`. */
export const SuppressionsQuery = z.strictObject({
  /** Part of an address. */
  q: z
    .string()
    .trim()
    .max(320)
    .refine((text) => !text.includes('\0'))
    .optional(),
  reason: SuppressionReason.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(SUPPRESSIONS_PAGE).default(SUPPRESSIONS_PAGE),
})
export type SuppressionsQuery = z.infer<typeof SuppressionsQuery>

/** `POST /api/suppressions`: entries as typed; all are taken or, if one is no address, none. */
export const AddSuppressionsRequest = z.strictObject({ addresses: typedEntries('addresses', { min: 1 }) })
export type AddSuppressionsRequest = z.infer<typeof AddSuppressionsRequest>
export const AddSuppressionsResponse = z.object({
  added: z.number(),
  /** They were on the list before, whatever the reason. */
  known: z.number(),
})
export type AddSuppressionsResponse = z.infer<typeof AddSuppressionsResponse>

/** `POST /api/suppressions/remove` */
export const RemoveSuppressionRequest = z.strictObject({
  address: z.string().max(RECIPIENT_MAX),
  /** The one that is known: where it is another one by now, nothing is removed. Without it, whatever it is. */
  reason: SuppressionReason.optional(),
})
export type RemoveSuppressionRequest = z.infer<typeof RemoveSuppressionRequest>
/** How that refusal, a 409, begins; what is true now follows. */
export const REASON_CHANGED = 'The reason has changed since you opened this list'

/** `POST /api/suppressions/check`: which of these would be left out; what is no address is passed over. */
export const CheckSuppressionsRequest = z.strictObject({ recipients: typedEntries('recipients', { min: 1 }) })
export type CheckSuppressionsRequest = z.infer<typeof CheckSuppressionsRequest>
export const CheckSuppressionsResponse = z.object({
  /** The entries exactly as they were asked about. */
  suppressed: z.array(z.string()),
})
export type CheckSuppressionsResponse = z.infer<typeof CheckSuppressionsResponse>
