import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import type { CredentialProps } from './credential-props.ts'

interface SecretFieldProps extends Pick<CredentialProps, 'account' | 'onType'> {
  name: keyof CredentialProps['hints']
  label: string
  hint: string
}

/** A key or a password: what is stored never comes back to the page, and browsers fill in none of their own. */
export function SecretField({ name, label, hint, account, onType }: SecretFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete="new-password"
          value={account[name]}
          onChange={(event) => onType({ [name]: event.target.value })}
        />
      )}
    </Field>
  )
}
