import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { User } from './accounts.ts'
import { ago } from './times.ts'

type Db = Database | Transaction

/** A session ends when unused for two weeks, and after three months whatever happens. */
export const SESSION_IDLE_DAYS = 14
export const SESSION_DAYS = 90
/** Far more browsers than anyone uses; the oldest sessions make room. */
const SESSIONS_PER_USER = 50

export async function insertSession(tx: Transaction, tokenHash: string, userId: string): Promise<void> {
  await tx.insertInto('sessions').values({ token_hash: tokenHash, user_id: userId }).execute()
  await tx
    .deleteFrom('sessions')
    .where('token_hash', 'in', (newest) =>
      newest
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .offset(SESSIONS_PER_USER),
    )
    .execute()
}

export async function findSession(
  db: Db,
  tokenHash: string,
): Promise<{ user: User; isStale: boolean } | null> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.email', sql<boolean>`s.last_seen_at < ${ago(10, 'minutes')}`.as('is_stale')])
    .where('s.token_hash', '=', tokenHash)
    .where('s.last_seen_at', '>', ago(SESSION_IDLE_DAYS, 'days'))
    .where('s.created_at', '>', ago(SESSION_DAYS, 'days'))
    .executeTakeFirst()
  return row ? { user: { id: row.id, email: row.email }, isStale: row.is_stale } : null
}

export async function touchSession(db: Db, tokenHash: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}
