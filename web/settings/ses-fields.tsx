import { DEFAULT_SES_REGION } from '../../contract/settings.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import type { CredentialProps } from './credential-props.ts'
import { PlainInput } from './plain-input.tsx'

export function SesFields({ account, onType, hints }: CredentialProps) {
  return (
    <>
      <Field label="AWS Region" hint={`Where your identities are. Blank means ${DEFAULT_SES_REGION}.`}>
        {(control) => (
          <PlainInput
            {...control}
            value={account.smtpHost}
            onChange={(event) => onType({ smtpHost: event.target.value })}
          />
        )}
      </Field>
      <div className="grid items-start gap-5 md:grid-cols-2">
        <Field label="Access Key ID" hint={hints.apiKey ?? 'Of a user who may send by SES.'}>
          {(control) => (
            <PlainInput
              {...control}
              value={account.apiKey}
              onChange={(event) => onType({ apiKey: event.target.value })}
            />
          )}
        </Field>
        <Field label="Secret Access Key" hint={hints.smtpPassword ?? 'AWS shows it once, with the key id.'}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="new-password"
              value={account.smtpPassword}
              onChange={(event) => onType({ smtpPassword: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  )
}
