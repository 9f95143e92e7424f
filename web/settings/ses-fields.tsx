import { DEFAULT_SES_REGION } from '../../contract/settings.ts'
import { Field } from '../ui/field.tsx'
import type { CredentialProps } from './credential-props.ts'
import { PlainInput } from './plain-input.tsx'
import { SecretField } from './secret-field.tsx'

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
        <SecretField
          name="smtpPassword"
          label="Secret Access Key"
          hint={hints.smtpPassword ?? 'AWS shows it once, with the key id.'}
          account={account}
          onType={onType}
        />
      </div>
    </>
  )
}
