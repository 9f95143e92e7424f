import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { Owner } from './accounts.ts'
import { ahead } from './times.ts'

const RESET_MINUTES = 60

export async function insertReset(tx: Transaction, tokenHash: string, userId: string): Promise<void> {
  await tx
    .insertInto('password_resets')
    .values({ token_hash: tokenHash, user_id: userId, expires_at: ahead(RESET_MINUTES) })
    .execute()
}

export async function isResetValid(db: Database, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Somebody who has just set a new password, and whether a Telegram account was unlinked by it. */
export type NewlySet = Owner & { emailKey: string; wasUnlinked: boolean }

/**
 * Spends the link, sets the password, and ends every session and every link to Telegram: whoever had the old password
 * is out, and so is whatever they let in with it.
 */
export async function resetPassword(
  tx: Transaction,
  tokenHash: string,
  passwordHash: string,
): Promise<NewlySet | null> {
  // The account first: two links of one account, used at the same moment, would wait for each other's rows. Its key is
  // left alone, or a Telegram account that is just being linked to it and we would wait for each other.
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', (reset) =>
      reset.selectFrom('password_resets').select('user_id').where('token_hash', '=', tokenHash),
    )
    .forNoKeyUpdate()
    .execute()
  const reset = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  if (!reset) return null
  const user = await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', reset.user_id)
    .returning(['id', 'email', 'email_key as emailKey', 'password_hash as passwordHash'])
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('password_resets').where('user_id', '=', user.id).execute()
  await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  // The code first: whoever is just turning it into a link is waited for, and the link is seen then.
  await tx.deleteFrom('telegram_codes').where('user_id', '=', user.id).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('telegram_links')
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return { ...user, wasUnlinked: numDeletedRows > 0n }
}
