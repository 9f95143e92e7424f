import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'

export type InboxRow = { inboxId: string; name: string; wasChanged: boolean }

export async function findInbox(db: Database | Transaction, userId: string): Promise<InboxRow | null> {
  const { rows } = await sql<InboxRow>`
    select i.id as "inboxId", n.name,
      exists (select from inbox_names o where o.inbox_id = i.id and not o.is_current) as "wasChanged"
    from inboxes i join inbox_names n on n.inbox_id = i.id and n.is_current
    where i.user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export type Owner = { email: string; senderName: string }

/** What an inbox is named after; null for a user who is gone. */
export async function findOwner(db: Database, userId: string): Promise<Owner | null> {
  const row = await db
    .selectFrom('users')
    .leftJoin('settings', 'settings.user_id', 'users.id')
    .select(['users.email', 'settings.from_name'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return row ? { email: row.email, senderName: row.from_name ?? '' } : null
}

/** Makes the inbox where there is none yet; whoever comes at the same time waits until its name is there as well. */
export async function lockInbox(tx: Transaction, userId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into inboxes (user_id) values (${userId})
    on conflict (user_id) do update set user_id = excluded.user_id
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an inbox was neither made nor found')
  return row.id
}

/** False where somebody has this name, or had it once. */
export async function addName(tx: Transaction, inboxId: string, name: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('inbox_names')
    .values({ name, inbox_id: inboxId })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The old name goes on receiving. */
export async function retireName(tx: Transaction, inboxId: string): Promise<void> {
  await tx
    .updateTable('inbox_names')
    .set({ is_current: false })
    .where('inbox_id', '=', inboxId)
    .where('is_current', '=', true)
    .execute()
}

export async function findByName(
  db: Database,
  name: string,
): Promise<{ inboxId: string; userId: string } | null> {
  const row = await db
    .selectFrom('inbox_names')
    .innerJoin('inboxes', 'inboxes.id', 'inbox_names.inbox_id')
    .select(['inboxes.id as inboxId', 'inboxes.user_id as userId'])
    .where('inbox_names.name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

export async function isCampaignOf(db: Database, userId: string, campaignId: string): Promise<boolean> {
  const row = await db
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', campaignId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
