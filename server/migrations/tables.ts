// Made by `npm run tables` from the migrated database; a test keeps the two equal.
import type { Generated } from 'kysely'

export interface AuthMailsTable {
  id: Generated<string>
  email_key: string
  kind: string
  sent_at: Generated<Date>
}

export interface LocalMailboxMessagesTable {
  id: Generated<string>
  idempotency_key: string
  recipient: string
  recipient_key: string
  sender: string
  subject: string
  text_body: string
  html_body: string
  headers: unknown
  received_at: Generated<Date>
}

export interface PasswordResetsTable {
  token_hash: string
  user_id: string
  expires_at: Date
}

export interface RateBucketsTable {
  key: string
  tokens: number
  refilled_at: Date
}

export interface RegistrationsTable {
  id: string
  email: string
  email_key: string
  password_hash: string
  code_hash: string | null
  code_expires_at: Date | null
  code_tries_left: Generated<number>
  created_at: Generated<Date>
}

export interface SchemaMigrationsTable {
  name: string
  checksum: string
  applied_at: Generated<Date>
}

export interface SessionsTable {
  token_hash: string
  user_id: string
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
}

export interface UsersTable {
  id: string
  email: string
  email_key: string
  password_hash: string
  created_at: Generated<Date>
}

export interface Tables {
  auth_mails: AuthMailsTable
  local_mailbox_messages: LocalMailboxMessagesTable
  password_resets: PasswordResetsTable
  rate_buckets: RateBucketsTable
  registrations: RegistrationsTable
  schema_migrations: SchemaMigrationsTable
  sessions: SessionsTable
  users: UsersTable
}
