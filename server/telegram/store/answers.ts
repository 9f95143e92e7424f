import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** The campaign that the update of this key has made of an answer; null where it has made none yet. */
export async function findAnswer(db: Database, userId: string, onceKey: string): Promise<string | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(sql<string | null>`answer->>'id'`.as('id'))
    .where('user_id', '=', userId)
    .where('key', '=', onceKey)
    .executeTakeFirst()
  return row?.id ?? null
}
