import { z } from 'zod'

export const FROM_NAME_MAX = 200

export const Settings = z.object({
  provider: z.literal('resend'),
  fromName: z.string(),
  fromEmail: z.string(),
})
export type Settings = z.infer<typeof Settings>

export const SaveSettingsRequest = z.strictObject({
  provider: z.literal('resend').optional(),
  fromName: z.string().trim().max(FROM_NAME_MAX),
  fromEmail: z.string().trim().max(320),
})
export type SaveSettingsRequest = z.infer<typeof SaveSettingsRequest>
