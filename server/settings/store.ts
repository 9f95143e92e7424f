import { sql } from 'kysely'
import type { ProviderName } from '../../contract/settings.ts'
import type { Database, Transaction } from '../platform/database.ts'

/** As it is stored: secrets are sealed. */
export type StoredSettings = {
  provider: ProviderName
  host: string
  port: number | null
  login: string
  sealedPassword: string | null
  sealedApiKey: string | null
  fromName: string
  fromEmail: string
  sendFromOwnAddress: boolean
  webhookToken: string | null
  tracksOpens: boolean
  alwaysUnsubscribe: boolean
}

const NONE: StoredSettings = {
  provider: 'resend',
  host: '',
  port: null,
  login: '',
  sealedPassword: null,
  sealedApiKey: null,
  fromName: '',
  fromEmail: '',
  sendFromOwnAddress: false,
  webhookToken: null,
  tracksOpens: true,
  alwaysUnsubscribe: false,
}

export async function findSettings(db: Database | Transaction, userId: string): Promise<StoredSettings> {
  const row = await settingsOf(db, userId).executeTakeFirst()
  return row ? asStored(row) : NONE
}

const settingsOf = (db: Database | Transaction, userId: string) =>
  db
    .selectFrom('settings')
    .select([
      'provider',
      'host',
      'port',
      'login',
      'sealed_password as sealedPassword',
      'sealed_api_key as sealedApiKey',
      'from_name as fromName',
      'from_email as fromEmail',
      'send_from_own_address as sendFromOwnAddress',
      'webhook_token as webhookToken',
      'tracks_opens as tracksOpens',
      'always_unsubscribe as alwaysUnsubscribe',
    ])
    .where('user_id', '=', userId)

/** The table's own check lets no other provider in. */
const asStored = (row: Omit<StoredSettings, 'provider'> & { provider: string }): StoredSettings => ({
  ...row,
  provider: row.provider as ProviderName,
})

/** Reads, changes and stores in one transaction, one at a time for each user. */
export async function changeSettings(
  db: Database,
  userId: string,
  change: (tx: Transaction, stored: StoredSettings) => Promise<StoredSettings>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('settings')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
    const row = await settingsOf(tx, userId).forNoKeyUpdate().executeTakeFirstOrThrow()
    await saveSettings(tx, userId, await change(tx, asStored(row)))
  })
}

async function saveSettings(tx: Transaction, userId: string, settings: StoredSettings): Promise<void> {
  const values = {
    provider: settings.provider,
    host: settings.host,
    port: settings.port,
    login: settings.login,
    sealed_password: settings.sealedPassword,
    sealed_api_key: settings.sealedApiKey,
    from_name: settings.fromName,
    from_email: settings.fromEmail,
    send_from_own_address: settings.sendFromOwnAddress,
    webhook_token: settings.webhookToken,
    tracks_opens: settings.tracksOpens,
    always_unsubscribe: settings.alwaysUnsubscribe,
  }
  await tx
    .updateTable('settings')
    .set({ ...values, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}

/** The user whose provider reports to the address with this token. */
export async function findUserByToken(db: Database, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('settings')
    .select('user_id as userId')
    .where('webhook_token', '=', token)
    .executeTakeFirst()
  return row?.userId ?? null
}

export async function findWebhookKey(
  db: Database,
  userId: string,
  provider: ProviderName,
): Promise<string | null> {
  const row = await db
    .selectFrom('webhook_keys')
    .select('sealed_key as sealedKey')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row?.sealedKey ?? null
}

export async function saveWebhookKey(
  tx: Transaction,
  userId: string,
  provider: ProviderName,
  sealedKey: string,
): Promise<void> {
  await tx
    .insertInto('webhook_keys')
    .values({ user_id: userId, provider, sealed_key: sealedKey })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'provider']).doUpdateSet({ sealed_key: sealedKey }),
    )
    .execute()
}
