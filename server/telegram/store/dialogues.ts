import type { Database } from '../../platform/database.ts'

type Dialogue = { kind: string; state: unknown }

export async function findDialogue(db: Database, linkId: string): Promise<Dialogue | null> {
  const row = await db
    .selectFrom('telegram_dialogues')
    .select(['kind', 'state'])
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row ?? null
}

export async function keepDialogue(db: Database, linkId: string, { kind, state }: Dialogue): Promise<void> {
  const row = { kind, state: JSON.stringify(state), updated_at: new Date() }
  await db
    .insertInto('telegram_dialogues')
    .values({ link_id: linkId, ...row })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet(row))
    .execute()
}

export async function endDialogue(db: Database, linkId: string): Promise<void> {
  await db.deleteFrom('telegram_dialogues').where('link_id', '=', linkId).execute()
}
