import type { SaveSettingsRequest, VerifyProviderRequest } from '../../contract/settings.ts'
import { isFilled, type MailHabits, portOf, regionOf, reports, type SettingsForm } from './settings-form.ts'

type Credentials = Pick<SaveSettingsRequest, 'smtpHost' | 'smtpPort' | 'smtpUser' | 'smtpPassword' | 'apiKey'>

/** Only what belongs to the chosen provider: the server refuses the rest. A blank secret keeps the stored one. */
function credentialsOf({ provider, accounts }: SettingsForm): Credentials {
  const { smtpHost, smtpPort, smtpUser, smtpPassword, apiKey } = accounts[provider]
  switch (provider) {
    case 'resend':
      return {}
    case 'smtp':
      return { smtpHost, smtpPort: portOf(smtpPort), smtpUser, smtpPassword }
    case 'ses':
      return { smtpHost: regionOf(smtpHost), smtpPassword, apiKey }
    case 'sendgrid':
    case 'mailgun':
      return { apiKey }
  }
}

export function verifyRequestOf(form: SettingsForm): VerifyProviderRequest {
  const { provider, fromName, fromEmail, sendFromOwnAddress } = form
  return {
    provider,
    fromName,
    fromEmail,
    ...credentialsOf(form),
    // The product's own account never lends its name to another address.
    ...(provider === 'resend' ? {} : { sendFromOwnAddress }),
  }
}

/** `habits` are those that were switched: what nobody touched stays as it is stored. */
export function saveRequestOf(
  form: SettingsForm,
  signingKey: string,
  habits: Partial<MailHabits> = {},
): SaveSettingsRequest {
  const sendsKey = reports(form.provider) && isFilled(signingKey)
  return { ...verifyRequestOf(form), ...(sendsKey ? { webhookSigningKey: signingKey } : {}), ...habits }
}
