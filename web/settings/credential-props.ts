import type { AccountFields } from './settings-form.ts'

/** What the fields of any provider are given. */
export interface CredentialProps {
  account: AccountFields
  onType: (fields: Partial<AccountFields>) => void
  /** What is to be said of a stored secret; undefined where none is stored. */
  hints: { smtpPassword: string | undefined; apiKey: string | undefined }
}
