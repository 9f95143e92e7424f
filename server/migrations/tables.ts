// Made by `npm run tables` from the migrated database; a test keeps the two equal.
import type { Generated } from 'kysely'

export interface AccountHoldsTable {
  account: string
  held_until: Date
  asked_until: Date | null
  outage: string | null
}

export interface AccountWaysTable {
  account: string
  identity: string
  since: Date
}

export interface AuthMailsTable {
  id: Generated<string>
  email_key: string
  kind: string
  sent_at: Generated<Date>
}

export interface CampaignsTable {
  id: string
  user_id: string
  subject: string
  body: string
  sender_name: string
  reply_to: string
  recipient_count: number
  created_at: Generated<Date>
  from_address: string | null
  link_origin: Generated<string>
  has_unsubscribe: Generated<boolean>
  tracks_opens: Generated<boolean>
  answers_message_id: string | null
  conversation_id: string | null
  in_reply_to: string | null
  mail_references: string | null
  has_reply_token: Generated<boolean>
}

export interface DeliveriesTable {
  campaign_id: string
  seq: number
  address: string
  address_key: string
  name: Generated<string>
  state: Generated<string>
  attempts: Generated<number>
  next_try_at: Date | null
  call_seq: number | null
  call_size: number | null
  in_flight_at: Date | null
  reason: string | null
  provider_id: string | null
  accepted_at: Date | null
  delivered_at: Date | null
  bounced_at: Date | null
  complained_at: Date | null
  opened_at: Date | null
  confirmed_at: Date | null
  bounce: string | null
  clicked_at: Date | null
  unsubscribed_at: Date | null
  machine_opened_at: Date | null
  may_have_left: Generated<boolean>
}

export interface DeliveryEventsTable {
  id: string
  campaign_id: string
  seq: number
  kind: string
  at: Date
  words: string | null
}

export interface DeliveryWindowsTable {
  id: Generated<string>
  campaign_id: string
  seqs: number[]
  token: string | null
  lease_until: Date | null
}

export interface DraftsTable {
  id: string
  user_id: string
  subject: string
  body: string
  sender_name: string
  reply_to: string
  recipients: string
  recipient_count: number
  updated_at: Generated<Date>
  template_id: string | null
}

export interface FormerTokenKeysTable {
  id: string
  purpose: string
  sealed_key: string
  replaced_at: Generated<Date>
}

export interface IdempotencyKeysTable {
  user_id: string
  key: string
  request_hash: string
  answer: unknown | null
  created_at: Generated<Date>
}

export interface InboundTokensTable {
  token_hash: Buffer
  mail_hash: Buffer
  seen_at: Generated<Date>
}

export interface InboxContentsTable {
  message_id: string
  text_body: string | null
  html_body: string | null
  has_remote_images: Generated<boolean>
  cc: Generated<string[]>
  attachments: Generated<unknown>
}

export interface InboxDaysTable {
  inbox_id: string
  day: number
  messages: number
  bytes: string
}

export interface InboxMessagesTable {
  id: Generated<string>
  inbox_id: string
  user_id: string
  identity: Buffer
  received_at: Generated<Date>
  envelope_from: string
  envelope_to: string
  state: Generated<string>
  folder: Generated<string>
  home: Generated<string>
  is_automatic: Generated<boolean>
  opened_at: Date | null
  conversation_id: string
  message_id: Generated<string>
  answered_ids: Generated<string[]>
  from_name: Generated<string>
  from_address: Generated<string>
  answers_to: Generated<string>
  recipients: Generated<string[]>
  subject: Generated<string>
  preview: Generated<string>
  sent_at: Date | null
  attachments: Generated<number>
  campaign_id: string | null
  seq: number | null
  search: string | null
}

export interface InboxMissedTable {
  inbox_id: string
  reason: string
  first_at: Generated<Date>
  last_at: Generated<Date>
}

export interface InboxNamesTable {
  name: string
  inbox_id: string
  is_current: Generated<boolean>
  created_at: Generated<Date>
}

export interface InboxSourcesTable {
  message_id: string
  part: number
  raw: Buffer
}

export interface InboxUnfetchedTable {
  inbox_id: string
  mail: string
  first_at: Generated<Date>
  last_at: Generated<Date>
}

export interface InboxesTable {
  id: Generated<string>
  user_id: string
  created_at: Generated<Date>
}

export interface InstallationTable {
  only_row: Generated<boolean>
  identity: string
  copy_number: Generated<number>
}

export interface KeyMarkTable {
  only_row: Generated<boolean>
  mark: string
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

export interface RunsTable {
  campaign_id: string
  user_id: string
  account: string
  state: string
  paused_reason: string | null
  is_open: boolean
  cursor: Generated<number>
  last_seq: number
  queued: Generated<number>
  in_flight: Generated<number>
  accepted: Generated<number>
  failed: Generated<number>
  unknown: Generated<number>
  suppressed: Generated<number>
  cancelled: Generated<number>
  delivered: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
  opened: Generated<number>
  created_at: Generated<Date>
  clicked: Generated<number>
  machine_opened: Generated<number>
  unsubscribed: Generated<number>
  rounds: Generated<number>
  is_presumed: Generated<boolean>
  unsent: Generated<number | null>
  copy_number: Generated<number>
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

export interface SettingsTable {
  user_id: string
  from_name: Generated<string>
  from_email: Generated<string>
  updated_at: Generated<Date>
  provider: Generated<string>
  host: Generated<string>
  port: number | null
  login: Generated<string>
  sealed_password: string | null
  sealed_api_key: string | null
  send_from_own_address: Generated<boolean>
  webhook_token: string | null
  tracks_opens: Generated<boolean>
  always_unsubscribe: Generated<boolean>
}

export interface SoftBouncesTable {
  user_id: string
  address_key: string
  streak: number
  last_at: Date
}

export interface SuppressionsTable {
  user_id: string
  address_key: string
  address: string
  reason: string
  campaign_id: string | null
  seq: number | null
  words: string | null
  created_at: Generated<Date>
  outranked: unknown | null
}

export interface TelegramAlertsTable {
  id: Generated<string>
  link_id: string
  kind: string
  about: string
  occasion: string
  created_at: Generated<Date>
  claimed_until: Date | null
  told_at: Date | null
}

export interface TelegramBotsTable {
  bot_id: string
  username: Generated<string>
  problem: string | null
  seen_at: Generated<Date>
  copy_number: Generated<number>
}

export interface TelegramCardsTable {
  link_id: string
  message_id: string
  campaign_id: string | null
  inbox_message_id: string | null
  shown: Generated<string>
  is_live: Generated<boolean>
  created_at: Generated<Date>
}

export interface TelegramCodesTable {
  user_id: string
  code_hash: Buffer
  time_zone: string
  expires_at: Date
}

export interface TelegramDialoguesTable {
  link_id: string
  kind: string
  state: unknown
  updated_at: Generated<Date>
}

export interface TelegramLettersTable {
  id: string
  link_id: string
  template_id: string | null
  subject: Generated<string>
  body: Generated<string>
  recipients: Generated<string[]>
  campaign_id: string | null
  created_at: Generated<Date>
}

export interface TelegramLinksTable {
  id: Generated<string>
  user_id: string
  telegram_user_id: string
  first_name: Generated<string>
  username: string | null
  linked_at: Generated<Date>
  blocked_at: Date | null
  tells_finished: Generated<boolean>
  tells_paused: Generated<boolean>
  tells_bounces: Generated<boolean>
  tells_replies: Generated<boolean>
  time_zone: Generated<string>
  quiet_from: number | null
  quiet_until: number | null
}

export interface TelegramUpdatesTable {
  bot_id: string
  update_id: string
  telegram_user_id: string
  content: unknown
  received_at: Generated<Date>
  attempts: Generated<number>
  claim: string | null
  claimed_until: Date | null
  handled_at: Date | null
}

export interface TemplatesTable {
  id: string
  user_id: string
  name: string
  subject: string
  body: string
  usage_count: Generated<number>
  last_used_at: Date | null
  created_at: Generated<Date>
}

export interface UsersTable {
  id: string
  email: string
  email_key: string
  password_hash: string
  created_at: Generated<Date>
}

export interface WebhookKeysTable {
  user_id: string
  provider: string
  sealed_key: string
}

export interface Tables {
  account_holds: AccountHoldsTable
  account_ways: AccountWaysTable
  auth_mails: AuthMailsTable
  campaigns: CampaignsTable
  deliveries: DeliveriesTable
  delivery_events: DeliveryEventsTable
  delivery_windows: DeliveryWindowsTable
  drafts: DraftsTable
  former_token_keys: FormerTokenKeysTable
  idempotency_keys: IdempotencyKeysTable
  inbound_tokens: InboundTokensTable
  inbox_contents: InboxContentsTable
  inbox_days: InboxDaysTable
  inbox_messages: InboxMessagesTable
  inbox_missed: InboxMissedTable
  inbox_names: InboxNamesTable
  inbox_sources: InboxSourcesTable
  inbox_unfetched: InboxUnfetchedTable
  inboxes: InboxesTable
  installation: InstallationTable
  key_mark: KeyMarkTable
  local_mailbox_messages: LocalMailboxMessagesTable
  password_resets: PasswordResetsTable
  rate_buckets: RateBucketsTable
  registrations: RegistrationsTable
  runs: RunsTable
  schema_migrations: SchemaMigrationsTable
  sessions: SessionsTable
  settings: SettingsTable
  soft_bounces: SoftBouncesTable
  suppressions: SuppressionsTable
  telegram_alerts: TelegramAlertsTable
  telegram_bots: TelegramBotsTable
  telegram_cards: TelegramCardsTable
  telegram_codes: TelegramCodesTable
  telegram_dialogues: TelegramDialoguesTable
  telegram_letters: TelegramLettersTable
  telegram_links: TelegramLinksTable
  telegram_updates: TelegramUpdatesTable
  templates: TemplatesTable
  users: UsersTable
  webhook_keys: WebhookKeysTable
}
