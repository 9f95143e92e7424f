import type { Database, Transaction } from '../platform/database.ts'
import { replaceKeyMark } from '../platform/key-mark.ts'
import type { Secrets, SigningKey } from '../platform/secrets.ts'
import { keepFormerKeys } from '../platform/secrets-former-keys.ts'
import { resealQueuedMail } from '../product-mail/reseal.ts'
import { dropLost } from './lost.ts'
import { lockSealedAccounts, lockWebhookKeys } from './sealed-rows.ts'
import { createVault, type Vault } from './vault.ts'

type Change = {
  from: Secrets
  to: Secrets
  /** What signed the mails that are out, and is kept to read what comes back of them. */
  retired: readonly SigningKey[]
  /** Instead of failing for it. */
  dropsLost?: boolean
}

/** Seals every stored secret anew, all or none; answers how many users have some. */
export async function resealAll(db: Database, { from, to, retired, dropsLost }: Change): Promise<number> {
  const [before, after] = [createVault(from), createVault(to)]
  return db.transaction().execute(async (tx) => {
    if (dropsLost) await dropLost(tx, from)
    await keepFormerKeys(tx, { from, to, retired })
    await replaceKeyMark(tx, to)
    const users = await resealAccounts(tx, before, after)
    await resealWebhookKeys(tx, before, after)
    await resealQueuedMail(tx, from, to)
    return users
  })
}

async function resealAccounts(tx: Transaction, from: Vault, to: Vault): Promise<number> {
  const users = await lockSealedAccounts(tx)
  for (const { userId, stored } of users) {
    const account = from.open(userId, stored)
    const { sealedPassword, sealedApiKey } = to.seal(userId, account)
    await tx
      .updateTable('settings')
      .set({ sealed_password: sealedPassword, sealed_api_key: sealedApiKey })
      .where('user_id', '=', userId)
      .execute()
  }
  return users.length
}

async function resealWebhookKeys(tx: Transaction, from: Vault, to: Vault): Promise<void> {
  for (const { userId, provider, sealedKey } of await lockWebhookKeys(tx)) {
    const key = from.openWebhookKey(userId, provider, sealedKey)
    const sealed_key = to.sealWebhookKey(userId, provider, key)
    await tx
      .updateTable('webhook_keys')
      .set({ sealed_key })
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .execute()
  }
}
