import {
  DEFAULT_SES_REGION,
  DEFAULT_SMTP_PORT,
  type ProviderName,
  type Settings,
} from '../../contract/settings.ts'

/** What is typed for one provider, named as it travels; for SES `smtpHost` is the region. */
export interface AccountFields {
  smtpHost: string
  smtpPort: string
  smtpUser: string
  smtpPassword: string
  apiKey: string
}

export interface SettingsForm {
  provider: ProviderName
  /** One for each provider, so that a look at another one loses nothing that was typed. */
  accounts: Record<ProviderName, AccountFields>
  fromName: string
  fromEmail: string
  sendFromOwnAddress: boolean
}

/** Apart from the form: no test looks at these, so changing one takes no verdict back. */
export type MailHabits = Pick<Settings, 'trackOpens' | 'alwaysUnsubscribe'>

/** Providers that report what became of a mail, and sign what they report. */
export type ReportingProvider = Exclude<ProviderName, 'resend' | 'smtp'>

export const reports = (provider: ProviderName): provider is ReportingProvider =>
  provider !== 'resend' && provider !== 'smtp'

const BLANK: AccountFields = { smtpHost: '', smtpPort: '', smtpUser: '', smtpPassword: '', apiKey: '' }

const BLANK_ACCOUNTS: Record<ProviderName, AccountFields> = {
  resend: BLANK,
  smtp: { ...BLANK, smtpPort: String(DEFAULT_SMTP_PORT) },
  sendgrid: BLANK,
  mailgun: BLANK,
  ses: { ...BLANK, smtpHost: DEFAULT_SES_REGION },
}

/** The form as it stands when these settings are stored; secrets are never among them, so theirs are blank. */
export function formOf(settings: Settings): SettingsForm {
  const { provider, fromName, fromEmail, sendFromOwnAddress } = settings
  return {
    provider,
    accounts: { ...BLANK_ACCOUNTS, [provider]: accountOf(settings) },
    fromName,
    fromEmail,
    sendFromOwnAddress,
  }
}

function accountOf({ provider, smtpHost, smtpPort, smtpUser }: Settings): AccountFields {
  if (provider === 'smtp') return { ...BLANK, smtpHost, smtpPort: String(smtpPort), smtpUser }
  if (provider === 'ses') return { ...BLANK, smtpHost: regionOf(smtpHost) }
  return BLANK
}

/** A number, because only digits can be typed; a blank port is the usual one. */
export const portOf = (text: string): number => (text === '' ? DEFAULT_SMTP_PORT : Number(text))

export function isPort(text: string): boolean {
  const port = portOf(text)
  return port >= 1 && port <= 65_535
}

export const regionOf = (text: string): string => text.trim() || DEFAULT_SES_REGION

export const isFilled = (text: string): boolean => text.trim() !== ''
