import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'

/** A letter that is being put together in a chat, or that was sent from there. */
export type Letter = {
  id: string
  templateId: string | null
  subject: string
  body: string
  /** As typed, good or bad. */
  recipients: string[]
  /** Once it is sent, for good. */
  campaignId: string | null
}

const COLUMNS = [
  'id',
  'template_id as templateId',
  'subject',
  'body',
  // As an array of PostgreSQL's own a hundred thousand of them would be read sign by sign, in tenths of a second.
  sql<string[]>`to_json(recipients)`.as('recipients'),
  'campaign_id as campaignId',
] as const

export async function findLetter(db: Database, linkId: string, id: string): Promise<Letter | null> {
  const row = await db
    .selectFrom('telegram_letters')
    .select(COLUMNS)
    .where('link_id', '=', linkId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** There is one at a time. */
export async function findUnfinished(db: Database, linkId: string): Promise<Letter | null> {
  const row = await db
    .selectFrom('telegram_letters')
    .select(COLUMNS)
    .where('link_id', '=', linkId)
    .where('campaign_id', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row ?? null
}

type NewLetter = Pick<Letter, 'id' | 'templateId' | 'subject' | 'body'>

/** In the place of the one that was unfinished. Begun again under the same id, it is the same. */
export async function beginLetter(db: Database, linkId: string, letter: NewLetter): Promise<void> {
  const { id, templateId, subject, body } = letter
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('telegram_letters')
      .where('link_id', '=', linkId)
      .where('campaign_id', 'is', null)
      .where('id', '!=', id)
      .execute()
    await tx
      .insertInto('telegram_letters')
      .values({ id, link_id: linkId, template_id: templateId, subject, body })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** What was sent stays. */
export async function deleteLetter(db: Database, linkId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('telegram_letters')
    .where('link_id', '=', linkId)
    .where('id', '=', id)
    .where('campaign_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export type LetterChange = Partial<Pick<Letter, 'subject' | 'body' | 'recipients'>>

/** By the press of a button, which makes the same of it however often it comes. */
export async function changeLetter(
  db: Database | Transaction,
  linkId: string,
  id: string,
  change: LetterChange,
): Promise<void> {
  await db
    .updateTable('telegram_letters')
    .set(change)
    .where('link_id', '=', linkId)
    .where('id', '=', id)
    .where('campaign_id', 'is', null)
    .execute()
}

/**
 * What a message brings, and what is then expected next, together: a message that is handled again finds itself among
 * those that were heard, and brings nothing twice.
 */
export async function takeMessage(
  db: Database,
  linkId: string,
  id: string,
  taken: { messageId: number; change: LetterChange; state: { kind: string; content: unknown } },
): Promise<void> {
  const { messageId, change, state } = taken
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('telegram_dialogues')
      .set({ state: JSON.stringify(state.content), updated_at: sql<Date>`now()` })
      .where('link_id', '=', linkId)
      .where('kind', '=', state.kind)
      .where(sql<boolean>`state->>'letter' = ${id}`)
      .where(sql<boolean>`not state->'heard' @> to_jsonb(${messageId}::bigint)`)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await changeLetter(tx, linkId, id, change)
  })
}

/** Its text and its list are the campaign's from now on. */
export async function markSent(
  tx: Transaction,
  linkId: string,
  id: string,
  campaignId: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('telegram_letters')
    .set({ campaign_id: campaignId, body: '', recipients: [] })
    .where('link_id', '=', linkId)
    .where('id', '=', id)
    .where('campaign_id', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError(409, 'This letter is sent already, or was discarded')
}

/** Whether this message shows that campaign by now. */
export async function isCardOf(
  db: Database,
  linkId: string,
  messageId: number,
  campaignId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('telegram_cards')
    .select('message_id')
    .where('link_id', '=', linkId)
    .where('message_id', '=', String(messageId))
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()
  return row !== undefined
}
