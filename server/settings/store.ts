import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'

export type SenderInformation = { fromName: string; fromEmail: string }

export async function findSender(db: Database, userId: string): Promise<SenderInformation> {
  const row = await db
    .selectFrom('settings')
    .select(['from_name as fromName', 'from_email as fromEmail'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { fromName: '', fromEmail: '' }
}

export async function saveSender(
  db: Database,
  userId: string,
  { fromName, fromEmail }: SenderInformation,
): Promise<void> {
  const values = { from_name: fromName, from_email: fromEmail }
  await db
    .insertInto('settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...values, updated_at: sql<Date>`now()` }),
    )
    .execute()
}
