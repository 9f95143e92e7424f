import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

type Dialogue = { kind: string; state: unknown }
/** With the time since something was last asked or heard in it. */
export type FoundDialogue = Dialogue & { ageSeconds: number }

export async function findDialogue(db: Database, linkId: string): Promise<FoundDialogue | null> {
  const row = await db
    .selectFrom('telegram_dialogues')
    .select(['kind', 'state', sql<number>`extract(epoch from now() - updated_at)::float8`.as('ageSeconds')])
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row ?? null
}

export async function keepDialogue(db: Database, linkId: string, { kind, state }: Dialogue): Promise<void> {
  const row = { kind, state: JSON.stringify(state), updated_at: sql<Date>`now()` }
  await db
    .insertInto('telegram_dialogues')
    .values({ link_id: linkId, ...row })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet(row))
    .execute()
}

export async function endDialogue(db: Database, linkId: string): Promise<void> {
  await db.deleteFrom('telegram_dialogues').where('link_id', '=', linkId).execute()
}
