import type { ProviderName } from '../../contract/settings.ts'
import type { Transaction } from '../platform/database.ts'
import { StartError } from '../platform/errors.ts'
import { isMarkedKey } from '../platform/key-mark.ts'
import { opens, type Secrets } from '../platform/secrets.ts'
import { dropLostFormerKeys, lockFormerKeys } from '../platform/secrets-former-keys.ts'
import { createVault, type Vault } from './vault.ts'

/**
 * Drops what was sealed under a key that is lost. Only the key in use tells what that is: to any other one everything
 * seems lost, also to whoever waited here while somebody else replaced the key.
 */
export async function dropLost(tx: Transaction, inUse: Secrets): Promise<void> {
  await lockFormerKeys(tx)
  if (!(await isMarkedKey(tx, inUse)))
    throw new StartError('This is not the key in use any more, so nothing was changed')
  const vault = createVault(inUse)
  await dropCredentials(tx, vault)
  await dropWebhookKeys(tx, vault)
  await dropLostFormerKeys(tx, inUse)
}

/** The account stays without its secrets: mail that was to leave by it must not leave by the product's own. */
async function dropCredentials(tx: Transaction, vault: Vault): Promise<void> {
  const users = await tx
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
  for (const { userId, ...stored } of users) {
    // The table's own check lets no other provider in.
    if (opens(() => vault.open(userId, { ...stored, provider: stored.provider as ProviderName }))) continue
    await tx
      .updateTable('settings')
      .set({ sealed_password: null, sealed_api_key: null })
      .where('user_id', '=', userId)
      .execute()
  }
}

async function dropWebhookKeys(tx: Transaction, vault: Vault): Promise<void> {
  const keys = await tx
    .selectFrom('webhook_keys')
    .select(['user_id as userId', 'provider', 'sealed_key as sealedKey'])
    .forUpdate()
    .execute()
  for (const { userId, provider, sealedKey } of keys) {
    if (opens(() => vault.openWebhookKey(userId, provider as ProviderName, sealedKey))) continue
    await tx
      .deleteFrom('webhook_keys')
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .execute()
  }
}
