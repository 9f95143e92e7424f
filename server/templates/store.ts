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

export type TemplateName = Pick<TemplateRow, 'id' | 'name' | 'lastUsed'>

/** As listed, without the texts: those may be megabytes. */
export const listNames = (db: Database, userId: string): Promise<TemplateName[]> =>
  db
    .selectFrom('templates')
    .select(['id', 'name', 'last_used_at as lastUsed'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Any fixed number: those who write templates of one user meet at this lock. */
const TEMPLATES_LOCK = 7_041_778

/** One after the other: each then counts what all before it have written. */
export async function lockTemplates(tx: Transaction, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(TEMPLATES_LOCK)}, hashtext(${userId}))`.execute(tx)
}

/** How many there are and how long their texts are together, in bytes; `own` is of the one with this id, if it exists. */
export async function measure(
  tx: Transaction,
  userId: string,
  id: string | null,
): Promise<{ count: number; total: number; own: number | null }> {
  const length = sql`octet_length(name) + octet_length(subject) + octet_length(body)`
  const { rows } = await sql<{ count: number; total: string; own: number | null }>`
    select count(*)::int as count, coalesce(sum(${length}), 0) as total,
      max(${length}) filter (where id = ${id}) as own
    from templates where user_id = ${userId}`.execute(tx)
  const { count = 0, total = '0', own = null } = rows[0] ?? {}
  return { count, total: Number(total), own }
}

export async function findTemplate(db: Database, userId: string, id: string): Promise<TemplateRow | null> {
  const query = db.selectFrom('templates').select(COLUMNS).where('user_id', '=', userId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export const insertTemplate = (
  tx: Transaction,
  userId: string,
  template: SaveTemplateRequest,
): Promise<TemplateRow> =>
  tx
    .insertInto('templates')
    .values({ id: randomUUID(), user_id: userId, ...template })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** Null also when another text is stored than the one that this was written from. */
export async function updateTemplate(
  tx: Transaction,
  userId: string,
  id: string,
  template: SaveTemplateRequest,
  basedOn?: SaveTemplateRequest,
): Promise<TemplateRow | null> {
  const query = tx
    .updateTable('templates')
    .set(template)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(isReplaceable(template, basedOn))
    .returning(COLUMNS)
  return (await query.executeTakeFirst()) ?? null
}

/** Stored already as it is to be, it is nobody else's change: its answer was lost, and it is saved once more. */
function isReplaceable(template: SaveTemplateRequest, basedOn: SaveTemplateRequest | undefined) {
  if (!basedOn) return sql<boolean>`true`
  const texts = [basedOn, template].map(({ name, subject, body }) => sql`(${name}, ${subject}, ${body})`)
  return sql<boolean>`(name, subject, body) in (${sql.join(texts)})`
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
