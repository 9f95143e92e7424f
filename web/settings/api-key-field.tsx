import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import type { CredentialProps } from './credential-props.ts'

/** `about` says which key it must be, until one is stored. */
export function ApiKeyField({ account, onType, hints, about }: CredentialProps & { about: string }) {
  return (
    <Field label="API Key" hint={hints.apiKey ?? about}>
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete="new-password"
          value={account.apiKey}
          onChange={(event) => onType({ apiKey: event.target.value })}
        />
      )}
    </Field>
  )
}
