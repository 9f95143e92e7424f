import type { Database, Transaction } from '../platform/database.ts'

/** Where the product writes to a user; null for one who is gone. */
export async function emailOf(db: Database | Transaction, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return row?.email ?? null
}
