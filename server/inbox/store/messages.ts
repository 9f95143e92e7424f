import { sql } from 'kysely'
import type { Attachment } from '../../../contract/inbox.ts'
import type { Database } from '../../platform/database.ts'
import { type Item, itemColumns, itemOf, itemTables } from './lists.ts'

/** A message of the user; the inbox is named as well, and must be the right one. */
export type MessageKey = { userId: string; inboxId: string; messageId: string }

type OpenMessage = Item & {
  conversationId: string
  answersTo: string
  sentDate: Date | null
  isReadable: boolean
  html: string | null
  text: string | null
  cc: string[]
  hasRemoteImages: boolean
  files: Attachment[]
}

export async function findMessage(db: Database, key: MessageKey): Promise<OpenMessage | null> {
  const { rows } = await sql<Parameters<typeof itemOf>[0] & Omit<OpenMessage, keyof Item>>`
    select ${itemColumns(sql`m.recipients`)}, m.conversation_id as "conversationId", m.answers_to as "answersTo",
      m.sent_at as "sentDate", m.state = 'r' as "isReadable", b.html_body as html, b.text_body as text,
      coalesce(b.cc, '{}') as cc, coalesce(b.has_remote_images, false) as "hasRemoteImages",
      coalesce(b.attachments, '[]') as files
    from ${itemTables} left join inbox_contents b on b.message_id = m.id
    where ${isThe(key)}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { conversationId, answersTo, sentDate, isReadable, html, text, cc, hasRemoteImages, files, ...item } =
    row
  const content = { html, text, cc, hasRemoteImages, files }
  return { ...itemOf(item), conversationId, answersTo, sentDate, isReadable, ...content }
}

const isThe = ({ userId, inboxId, messageId }: MessageKey) => sql<boolean>`
  m.id = ${messageId} and m.inbox_id = ${inboxId} and m.user_id = ${userId} and m.state <> 'w'`

/** Whether there is such a message. */
export async function hasMessage(db: Database, key: MessageKey): Promise<boolean> {
  const { rows } = await sql`select from inbox_messages m where ${isThe(key)}`.execute(db)
  return rows.length === 1
}

export async function findHtml(db: Database, key: MessageKey): Promise<{ html: string | null } | null> {
  const { rows } = await sql<{ html: string | null }>`
    select b.html_body as html from inbox_messages m left join inbox_contents b on b.message_id = m.id
    where ${isThe(key)}`.execute(db)
  return rows[0] ?? null
}

type Answerable = {
  id: string
  inboxId: string
  conversationId: string
  messageId: string
  answeredIds: string[]
  fromName: string
  fromAddress: string
  answersTo: string
  subject: string
  text: string | null
  writtenAt: Date
  isAutomatic: boolean
}

export async function findAnswerable(db: Database, key: MessageKey): Promise<Answerable | null> {
  const { rows } = await sql<Answerable>`
    select m.id, m.inbox_id as "inboxId", m.conversation_id as "conversationId", m.message_id as "messageId",
      m.answered_ids as "answeredIds", m.from_name as "fromName", m.from_address as "fromAddress",
      m.answers_to as "answersTo", m.subject, b.text_body as text, coalesce(m.sent_at, m.received_at) as "writtenAt",
      m.is_automatic as "isAutomatic"
    from inbox_messages m left join inbox_contents b on b.message_id = m.id
    where ${isThe(key)}`.execute(db)
  return rows[0] ?? null
}

type Change = { isUnread: boolean | null; isArchived: boolean | null }

/** False where there is no such message. What is read stays read since then. */
export async function changeMessage(db: Database, key: MessageKey, change: Change): Promise<boolean> {
  const { isUnread, isArchived } = change
  const { numAffectedRows } = await sql`
    update inbox_messages m set
      opened_at = case ${isUnread}::boolean
        when true then null when false then coalesce(m.opened_at, now()) else m.opened_at end,
      folder = case ${isArchived}::boolean when true then 'a' when false then m.home else m.folder end
    where ${isThe(key)}`.execute(db)
  return numAffectedRows === 1n
}

/** Its source and its content go with it. */
export async function deleteMessage(db: Database, key: MessageKey): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from inbox_messages m where ${isThe(key)}`.execute(db)
  return numAffectedRows === 1n
}
