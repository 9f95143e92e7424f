import { z } from 'zod'
import { BODY_MAX, SENDER_NAME_MAX, SUBJECT_MAX } from './campaigns.ts'
import { DateTime } from './date-time.ts'
import { typedEntries } from './typed-entries.ts'

/** More than anyone keeps open; the oldest go first. */
export const DRAFTS_MAX = 50

/** Half-written, so anything may be missing, and nothing is checked but its size. */
const written = {
  recipients: typedEntries('recipients'),
  subject: z.string().max(SUBJECT_MAX),
  body: z.string().max(BODY_MAX),
  senderName: z.string().max(SENDER_NAME_MAX),
  replyTo: z.string().max(320),
  /** The template it was begun with, whose use counts once it is sent. */
  templateId: z.string().max(100).nullish(),
}
export const SaveDraftRequest = z.strictObject({
  ...written,
  /**
   * The `updatedAt` of the state that this one was written from, or null where there was none: a draft that was saved
   * elsewhere since then is not replaced. Whoever leaves it out replaces whatever is there.
   */
  basedOn: z.iso.datetime().nullish(),
})
export type SaveDraftRequest = z.infer<typeof SaveDraftRequest>

export const Draft = z.object({ id: z.string(), ...written, updatedAt: DateTime })
export type Draft = z.output<typeof Draft>

/** For the list: no letter and no recipients. */
export const DraftSummary = z.object({
  id: z.string(),
  subject: z.string(),
  recipientCount: z.number(),
  templateId: z.string().nullable(),
  updatedAt: DateTime,
})
export type DraftSummary = z.output<typeof DraftSummary>
export const DraftList = z.array(DraftSummary)

/** Nor is it deleted by whoever says which state they know, and knows nothing of a newer one. */
export const DeleteDraftQuery = z.strictObject({ basedOn: z.iso.datetime().optional() })

/** The refusal of what knows nothing of a newer state: the page finds by it that there are two. */
export const CHANGED_ELSEWHERE =
  'This draft was changed elsewhere after it was opened here, so it was left as it is'

/** The browser makes the id, so that saving the same draft twice is one draft. */
export const DraftPath = z.object({ id: z.uuid() })
