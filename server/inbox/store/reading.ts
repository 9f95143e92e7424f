import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { Folder } from '../folders.ts'
import type { Place } from '../threading.ts'

export type Waiting = {
  id: string
  userId: string
  envelopeFrom: string
  messageId: string
  receivedAt: Date
  /** By the token in the address that it came to. */
  campaignId: string | null
  seq: number | null
}

/** Null for one that somebody has read already, or deleted. */
export async function findWaiting(db: Database, id: string): Promise<Waiting | null> {
  const row = await waiting(db, id).executeTakeFirst()
  return row ?? null
}

/** Until the end of the transaction nobody else reads it. */
export async function lockWaiting(tx: Transaction, id: string): Promise<Waiting | null> {
  const row = await waiting(tx, id).forUpdate().executeTakeFirst()
  return row ?? null
}

const waiting = (db: Database | Transaction, id: string) =>
  db
    .selectFrom('inbox_messages')
    .select([
      'id',
      'user_id as userId',
      'envelope_from as envelopeFrom',
      'message_id as messageId',
      'received_at as receivedAt',
      'campaign_id as campaignId',
      'seq',
    ])
    .where('id', '=', id)
    .where('state', '=', 'w')

/** What every list shows, and what it is found by. */
export type Reading = {
  state: 'r' | 'u'
  home: Exclude<Folder, 'archived'>
  isAutomatic: boolean
  messageId: string
  answeredIds: string[]
  fromName: string
  fromAddress: string
  answersTo: string
  recipients: string[]
  subject: string
  preview: string
  sentAt: Date | null
  attachments: number
  lexemes: string[]
}

export async function storeReading(
  tx: Transaction,
  id: string,
  reading: Reading,
  place: Place,
): Promise<void> {
  const home = reading.home === 'automatic' ? 'm' : 'i'
  await tx
    .updateTable('inbox_messages')
    .set({
      state: reading.state,
      folder: home,
      home,
      is_automatic: reading.isAutomatic,
      message_id: reading.messageId,
      answered_ids: reading.answeredIds,
      from_name: reading.fromName,
      from_address: reading.fromAddress,
      answers_to: reading.answersTo,
      recipients: reading.recipients,
      subject: reading.subject,
      preview: reading.preview,
      sent_at: reading.sentAt,
      attachments: reading.attachments,
      search: sql<string>`array_to_tsvector(${reading.lexemes}::text[])`,
      conversation_id: place.conversationId ?? id,
      campaign_id: place.delivery?.campaignId ?? null,
      seq: place.delivery?.seq ?? null,
    })
    .where('id', '=', id)
    .execute()
}

export type Content = {
  text: string | null
  html: string | null
  hasRemoteImages: boolean
  cc: string[]
  attachments: { name: string; type: string; size: number }[]
}

export async function storeContent(tx: Transaction, messageId: string, content: Content): Promise<void> {
  await tx
    .insertInto('inbox_contents')
    .values({
      message_id: messageId,
      text_body: content.text,
      html_body: content.html,
      has_remote_images: content.hasRemoteImages,
      cc: content.cc,
      attachments: JSON.stringify(content.attachments),
    })
    .execute()
}
