import { digitsOf } from '../ui/code-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import type { CredentialProps } from './credential-props.ts'
import { PlainInput } from './plain-input.tsx'
import { SecretField } from './secret-field.tsx'
import { isPort } from './settings-form.ts'

const NONE_ASKED = 'Leave blank for a relay that asks for none.'

export function SmtpFields({ account, onType, hints }: CredentialProps) {
  return (
    <>
      <div className="grid items-start gap-5 md:grid-cols-[minmax(0,1fr)_8rem]">
        <Field label="SMTP Host">
          {(control) => (
            <PlainInput
              {...control}
              inputMode="url"
              placeholder="smtp.example.com"
              value={account.smtpHost}
              onChange={(event) => onType({ smtpHost: event.target.value })}
            />
          )}
        </Field>
        <Field label="SMTP Port" error={isPort(account.smtpPort) ? undefined : 'From 1 to 65535'}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              inputMode="numeric"
              value={account.smtpPort}
              onChange={(event) => onType({ smtpPort: digitsOf(event.target.value, 5) })}
            />
          )}
        </Field>
      </div>
      <div className="grid items-start gap-5 md:grid-cols-2">
        <Field label="SMTP Username" hint={NONE_ASKED}>
          {(control) => (
            <PlainInput
              {...control}
              value={account.smtpUser}
              onChange={(event) => onType({ smtpUser: event.target.value })}
            />
          )}
        </Field>
        {/* Without a user there is no password either: the server lets go of a stored one. */}
        <SecretField
          name="smtpPassword"
          label="SMTP Password"
          hint={(account.smtpUser !== '' && hints.smtpPassword) || NONE_ASKED}
          account={account}
          onType={onType}
        />
      </div>
    </>
  )
}
