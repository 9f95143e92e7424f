import type { CredentialProps } from './credential-props.ts'
import { SecretField } from './secret-field.tsx'

/** `about` says which key it must be, until one is stored. */
export function ApiKeyField({ account, onType, hints, about }: CredentialProps & { about: string }) {
  return (
    <SecretField
      name="apiKey"
      label="API Key"
      hint={hints.apiKey ?? about}
      account={account}
      onType={onType}
    />
  )
}
