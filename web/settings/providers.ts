import type { ProviderName } from '../../contract/settings.ts'

interface ProviderText {
  name: string
  /** Which account mail goes through, in a sentence. */
  about: string
}

export const PROVIDERS: Record<ProviderName, ProviderText> = {
  resend: {
    name: 'Resend',
    about: 'Mail goes through this installation’s own account. There is nothing to set up.',
  },
  smtp: { name: 'SMTP', about: 'Mail goes through a mail server that you name.' },
  sendgrid: { name: 'SendGrid', about: 'Mail goes through your own SendGrid account.' },
  mailgun: { name: 'Mailgun', about: 'Mail goes through your own Mailgun account.' },
  ses: { name: 'Amazon SES', about: 'Mail goes through your own Amazon SES account.' },
}

const ORDER: readonly ProviderName[] = ['resend', 'smtp', 'sendgrid', 'mailgun', 'ses']

export const PROVIDER_OPTIONS = ORDER.map((value) => ({ value, label: PROVIDERS[value].name }))
