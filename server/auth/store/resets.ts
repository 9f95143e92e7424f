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

/** Spends the link, sets the password, and ends every session: whoever had the old password is out. */
export async function resetPassword(
  tx: Transaction,
  tokenHash: string,
  passwordHash: string,
): Promise<(Owner & { emailKey: string }) | null> {
  // The account first: two links of one account, used at the same moment, would wait for each other's rows.
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', (reset) =>
      reset.selectFrom('password_resets').select('user_id').where('token_hash', '=', tokenHash),
    )
    .forUpdate()
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
  return user
}
