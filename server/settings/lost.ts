import type { Transaction } from '../platform/database.ts'
import { StartError } from '../platform/errors.ts'
import { isMarkedKey } from '../platform/key-mark.ts'
import { opens, type Secrets } from '../platform/secrets.ts'
import { dropLostFormerKeys, lockFormerKeys } from '../platform/secrets-former-keys.ts'
import { lockSealedAccounts, lockWebhookKeys } from './sealed-rows.ts'
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
  for (const { userId, stored } of await lockSealedAccounts(tx)) {
    if (opens(() => vault.open(userId, stored))) continue
    await tx
      .updateTable('settings')
      .set({ sealed_password: null, sealed_api_key: null })
      .where('user_id', '=', userId)
      .execute()
  }
}

async function dropWebhookKeys(tx: Transaction, vault: Vault): Promise<void> {
  for (const { userId, provider, sealedKey } of await lockWebhookKeys(tx)) {
    if (opens(() => vault.openWebhookKey(userId, provider, sealedKey))) continue
    await tx
      .deleteFrom('webhook_keys')
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .execute()
  }
}
