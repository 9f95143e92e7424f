import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SaveTemplateRequest } from '../../contract/templates.ts'
import type { Database, Transaction } from '../platform/database.ts'

export type TemplateRow = {
  id: string
  name: string
  subject: string
  body: string
  lastUsed: Date | null
  usageCount: number
}

const COLUMNS = [
  'id',
  'name',
  'subject',
  'body',
  'last_used_at as lastUsed',
  'usage_count as usageCount',
] as const

export const listTemplates = (db: Database, userId: string): Promise<TemplateRow[]> =>
  db
    .selectFrom('templates')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export async function findTemplate(db: Database, userId: string, id: string): Promise<TemplateRow | null> {
  const query = db.selectFrom('templates').select(COLUMNS).where('user_id', '=', userId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export const insertTemplate = (
  db: Database,
  userId: string,
  template: SaveTemplateRequest,
): Promise<TemplateRow> =>
  db
    .insertInto('templates')
    .values({ id: randomUUID(), user_id: userId, ...template })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export async function updateTemplate(
  db: Database,
  userId: string,
  id: string,
  template: SaveTemplateRequest,
): Promise<TemplateRow | null> {
  const query = db
    .updateTable('templates')
    .set(template)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
  return (await query.executeTakeFirst()) ?? null
}

export async function deleteTemplate(db: Database, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('templates')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countUse(tx: Transaction, userId: string, id: string): Promise<void> {
  await tx
    .updateTable('templates')
    .set({ usage_count: sql<number>`usage_count + 1`, last_used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
