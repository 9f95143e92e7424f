import { z } from 'zod'
import { BODY_MAX, SUBJECT_MAX } from './campaigns.ts'

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
  lastUsed: z
    .date()
    .transform((date) => date.toISOString())
    .pipe(z.iso.datetime())
    .nullable(),
  usageCount: z.number(),
})
export type Template = z.output<typeof Template>
export const TemplateList = z.array(Template)

export const SaveTemplateRequest = z.strictObject({
  name: z.string().trim().min(1).max(TEMPLATE_NAME_MAX),
  subject: z.string().trim().min(1).max(SUBJECT_MAX),
  body: z.string().max(BODY_MAX),
})
export type SaveTemplateRequest = z.infer<typeof SaveTemplateRequest>

export const TemplatePath = z.object({ id: z.string() })
