import type { ProviderName } from '../../contract/settings.ts'
import type { Transaction } from '../platform/database.ts'

// The tables' own checks let no other provider in.

/** Every account with something sealed in it, locked: nobody saves settings under one key while another takes its place. */
export async function lockSealedAccounts(tx: Transaction) {
  const rows = await tx
    .selectFrom('settings')
    .select([
      'user_id as userId',
      'provider',
      'host',
      'port',
      'login',
      'sealed_password as sealedPassword',
      'sealed_api_key as sealedApiKey',
    ])
    .where((is) => is.or([is('sealed_password', 'is not', null), is('sealed_api_key', 'is not', null)]))
    .forUpdate()
    .execute()
  return rows.map(({ userId, ...stored }) => ({
    userId,
    stored: { ...stored, provider: stored.provider as ProviderName },
  }))
}

export async function lockWebhookKeys(tx: Transaction) {
  const rows = await tx
    .selectFrom('webhook_keys')
    .select(['user_id as userId', 'provider', 'sealed_key as sealedKey'])
    .forUpdate()
    .execute()
  return rows.map((row) => ({ ...row, provider: row.provider as ProviderName }))
}
