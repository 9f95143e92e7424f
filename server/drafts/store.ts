import { sql } from 'kysely'
import { DRAFTS_MAX, type SaveDraftRequest } from '../../contract/drafts.ts'
import type { Database, Transaction } from '../platform/database.ts'

export type DraftSummaryRow = {
  id: string
  subject: string
  recipientCount: number
  templateId: string | null
  updatedAt: Date
}
export type DraftRow = Omit<SaveDraftRequest, 'basedOn'> & { id: string; updatedAt: Date }

const SUMMARY = [
  'id',
  'subject',
  'recipient_count as recipientCount',
  'template_id as templateId',
  'updated_at as updatedAt',
] as const

/** The newest first, without letters and recipients: those may be megabytes. */
export const listDrafts = (db: Database, userId: string): Promise<DraftSummaryRow[]> =>
  db
    .selectFrom('drafts')
    .select(SUMMARY)
    .where('user_id', '=', userId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(DRAFTS_MAX)
    .execute()

export async function findDraft(db: Database, userId: string, id: string): Promise<DraftRow | null> {
  const row = await db
    .selectFrom('drafts')
    .select([
      'id',
      'subject',
      'body',
      'sender_name as senderName',
      'reply_to as replyTo',
      'recipients',
      'template_id as templateId',
      'updated_at as updatedAt',
    ])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  // Written by `saveDraft` alone.
  return row ? { ...row, recipients: JSON.parse(row.recipients) as string[] } : null
}

/** Null when another state is stored than the one that this was written from. */
export async function saveDraft(
  tx: Transaction,
  userId: string,
  id: string,
  { recipients, subject, body, senderName, replyTo, templateId = null, basedOn }: SaveDraftRequest,
): Promise<DraftSummaryRow | null> {
  const parts = {
    subject,
    body,
    sender_name: senderName,
    reply_to: replyTo,
    recipients: JSON.stringify(recipients),
    recipient_count: recipients.length,
    template_id: templateId,
  }
  // Milliseconds are all that a browser hears of, so no two states of a draft share one, whatever the clock does.
  const later = sql<Date>`greatest(now(), drafts.updated_at + interval '1 millisecond')`
  const saved = await tx
    .insertInto('drafts')
    .values({ id, user_id: userId, ...parts, updated_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'id'])
        .doUpdateSet({ ...parts, updated_at: later })
        .where(isState(basedOn)),
    )
    .returning(SUMMARY)
    .executeTakeFirst()
  return saved ?? null
}

/** Whether a stored draft is still what the page knows of it. */
function isState(basedOn: string | null | undefined) {
  if (basedOn === undefined) return sql<boolean>`true`
  if (basedOn === null) return sql<boolean>`false`
  return sql<boolean>`date_trunc('milliseconds', drafts.updated_at) = ${new Date(basedOn)}`
}

export async function deleteOldest(tx: Transaction, userId: string): Promise<void> {
  await tx
    .deleteFrom('drafts')
    .where('user_id', '=', userId)
    .where('id', 'in', (old) =>
      old
        .selectFrom('drafts')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .offset(DRAFTS_MAX),
    )
    .execute()
}

export async function deleteDraft(
  db: Database | Transaction,
  userId: string,
  id: string,
  basedOn?: string | null,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('drafts')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(isState(basedOn))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
