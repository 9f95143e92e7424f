import { z } from 'zod'
import { BODY_MAX, SUBJECT_MAX } from './campaigns.ts'
import { DateTime } from './date-time.ts'

export const TEMPLATE_NAME_MAX = 200
/** Of one user: all of them are listed in one answer, with their texts. */
export const TEMPLATES_MAX = 500
/** Bytes of all names, subjects and messages of one user together. */
export const TEMPLATES_TOTAL_MAX = 10 * 1024 * 1024

export const Template = z.object({
  id: z.string(),
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  lastUsed: DateTime.nullable(),
  usageCount: z.number(),
})
export type Template = z.output<typeof Template>
export const TemplateList = z.array(Template)

const written = {
  name: z.string().trim().min(1).max(TEMPLATE_NAME_MAX),
  subject: z.string().trim().min(1).max(SUBJECT_MAX),
  body: z.string().max(BODY_MAX),
}
export const SaveTemplateRequest = z.strictObject(written)
export type SaveTemplateRequest = z.infer<typeof SaveTemplateRequest>

export const ChangeTemplateRequest = z.strictObject({
  ...written,
  /**
   * The text that this one was written from: one that was stored elsewhere since then is not replaced. Whoever leaves it
   * out replaces whatever is there.
   */
  basedOn: z.strictObject(written).optional(),
})
export type ChangeTemplateRequest = z.infer<typeof ChangeTemplateRequest>

/** The refusal of what was written from another text than the stored one: the page knows it by these words. */
export const TEMPLATE_CHANGED_ELSEWHERE =
  'This template was changed elsewhere since you opened it. Save again to replace that text, or cancel to see it.'

export const TemplatePath = z.object({ id: z.string() })
