import type { Settings } from '../../contract/settings.ts'
import { ApiKeyField } from './api-key-field.tsx'
import type { CredentialProps } from './credential-props.ts'
import { secretHint } from './secret-hint.ts'
import { SesFields } from './ses-fields.tsx'
import { SmtpFields } from './smtp-fields.tsx'
import type { SettingsFormModel } from './use-settings-form.ts'

export function Credentials({ model, stored }: { model: SettingsFormModel; stored: Settings }) {
  const { form, dispatch } = model
  const { provider } = form
  const props: CredentialProps = {
    account: form.accounts[provider],
    onType: (fields) => dispatch({ kind: 'account typed', fields }),
    hints: {
      smtpPassword: secretHint('smtpPassword', form, stored),
      apiKey: secretHint('apiKey', form, stored),
    },
  }
  switch (provider) {
    case 'resend':
      return null
    case 'smtp':
      return <SmtpFields {...props} />
    case 'ses':
      return <SesFields {...props} />
    case 'sendgrid':
      return <ApiKeyField {...props} key={provider} about="One with the permission Mail Send." />
    case 'mailgun':
      return <ApiKeyField {...props} key={provider} about="A key of your account." />
  }
}
