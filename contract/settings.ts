import { z } from 'zod'

export const FROM_NAME_MAX = 200
export const DEFAULT_SMTP_PORT = 587
export const DEFAULT_SES_REGION = 'us-east-1'

/** `resend` is the product's own account; with the others a user sends by an account of their own. */
export const ProviderName = z.enum(['resend', 'smtp', 'sendgrid', 'mailgun', 'ses'])
export type ProviderName = z.infer<typeof ProviderName>

/** No secret ever comes back to the browser, only whether one is stored. */
export const Settings = z.object({
  provider: ProviderName,
  /** For `ses` this is the region. */
  smtpHost: z.string(),
  smtpPort: z.int(),
  smtpUser: z.string(),
  hasSmtpPassword: z.boolean(),
  hasApiKey: z.boolean(),
  fromName: z.string(),
  fromEmail: z.string(),
  /** Mail leaves from `fromEmail` itself instead of the product's address; only by an account of one's own. */
  sendFromOwnAddress: z.boolean(),
  /** Where the provider reports what became of each mail; null where it reports nothing (SMTP, the product's own). */
  webhookUrl: z.string().nullable(),
  /** Where the provider brings mail that it receives for a domain of the user's; null like the other. */
  inboundUrl: z.string().nullable(),
  hasWebhookSigningKey: z.boolean(),
  /** Mails tell when they are read, unless this installation as a whole does without. */
  trackOpens: z.boolean(),
  /** A mail to one person carries an unsubscribe link too; to several it always does. */
  alwaysUnsubscribe: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

const Sender = {
  fromName: z.string().trim().max(FROM_NAME_MAX),
  fromEmail: z.string().trim().max(320),
}

const Credentials = {
  smtpHost: z.string().trim().max(253).optional(),
  smtpPort: z.coerce.number().int().min(1).max(65_535).optional(),
  smtpUser: z.string().max(320).optional(),
  /** Left out or blank, a stored secret stays; but not for another provider or host. */
  smtpPassword: z.string().max(1_000).optional(),
  apiKey: z.string().trim().max(1_000).optional(),
}

/**
 * The provider that a save takes the place of, as far as its sender knows. Where it is a third one by then, set up in
 * another tab or on another device, nothing is saved.
 */
export const REPLACED_PROVIDER_HEADER = 'x-replaced-provider'
/** The same for the sender information, as JSON with whatever a header cannot carry escaped as in an address. */
export const REPLACED_SENDER_HEADER = 'x-replaced-sender'
export const ReplacedSender = Settings.pick({ fromName: true, fromEmail: true, sendFromOwnAddress: true })
export type ReplacedSender = z.infer<typeof ReplacedSender>
/** How the refusal ends: the page knows it by these words. */
export const CHANGED_ELSEWHERE =
  'not the one that this form began with. Nothing was saved; look at the settings and save again'

export const SaveSettingsRequest = z.strictObject({
  /** Left out, the stored account stays; credentials are for one that is named. */
  provider: ProviderName.optional(),
  ...Sender,
  ...Credentials,
  sendFromOwnAddress: z.boolean().optional(),
  /** Blank keeps the stored one. */
  webhookSigningKey: z.string().trim().max(2_000).optional(),
  trackOpens: z.boolean().optional(),
  alwaysUnsubscribe: z.boolean().optional(),
})
export type SaveSettingsRequest = z.infer<typeof SaveSettingsRequest>

export const VerifyProviderRequest = z.strictObject({
  provider: ProviderName,
  ...Sender,
  ...Credentials,
  sendFromOwnAddress: z.boolean().optional(),
})
export type VerifyProviderRequest = z.infer<typeof VerifyProviderRequest>

/** `error` says what to do about it; `note` is what could not be checked although all seems well. */
export const VerifyProviderResponse = z.object({
  success: z.boolean(),
  error: z.string().optional(),
  note: z.string().optional(),
})
export type VerifyProviderResponse = z.infer<typeof VerifyProviderResponse>
