import { createHash, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { InboxFolder } from '../contract/inbox.ts'
import type { Tables } from '../server/migrations/tables.ts'
import type { Member } from './harness.ts'
import type { Site } from './site.ts'

/** A received mail as it stands once it has been read; for lists too long to be sent one by one. */
export type StoredMail = {
  name?: string
  email?: string
  subject?: string
  text?: string | null
  html?: string | null
  preview?: string
  minutesAgo?: number
  folder?: InboxFolder
  isUnread?: boolean
  isAutomatic?: boolean
  isReadable?: boolean
  hasRemoteImages?: boolean
  answersTo?: string
  to?: string[]
  files?: { name: string; type: string; size: number }[]
  campaignId?: string
  /** Of another mail, for one that belongs to its conversation. */
  conversationId?: string
}

export type Inbox = { inboxId: string; address: string; userId: string }

const LETTERS: Record<InboxFolder, string> = { inbox: 'i', archived: 'a', automatic: 'm' }

/** The inbox of somebody, made by the first question for its address, as pages make it. */
export async function inboxOf({ db }: Site, member: Member): Promise<Inbox> {
  const answer = await (await member.client()).get('/api/inbox/address')
  const { address } = answer.json() as { address: string }
  const { id } = await db
    .selectFrom('inboxes')
    .select('id')
    .where('user_id', '=', member.userId)
    .executeTakeFirstOrThrow()
  return { inboxId: id, address, userId: member.userId }
}

/** Answers their ids in the same order. */
export async function storeMails(
  { db }: Site,
  inbox: Inbox,
  mails: readonly StoredMail[],
): Promise<string[]> {
  const rows = mails.map((mail) => ({ id: randomUUID(), mail }))
  await db
    .insertInto('inbox_messages')
    .values(rows.map(({ id, mail }) => messageOf(id, mail, inbox)))
    .execute()
  await db
    .insertInto('inbox_contents')
    .values(
      rows.map(({ id, mail: { text = 'Hello!', html = null, hasRemoteImages = false, files = [] } }) => ({
        ...{ message_id: id, text_body: text, html_body: html, has_remote_images: hasRemoteImages },
        attachments: JSON.stringify(files),
      })),
    )
    .execute()
  return rows.map(({ id }) => id)
}

function messageOf(id: string, mail: StoredMail, inbox: Inbox): Insertable<Tables['inbox_messages']> {
  const { name = 'Ann Keller', email = 'ann@example.test', subject = 'Hello', minutesAgo = 5 } = mail
  const { folder = 'inbox', isUnread = false, isAutomatic = false, isReadable = true } = mail
  const words = mail.preview ?? mail.text ?? 'Hello!'
  return {
    ...{ id, inbox_id: inbox.inboxId, user_id: inbox.userId },
    identity: createHash('sha256').update(id).digest(),
    received_at: new Date(Date.now() - minutesAgo * 60_000),
    ...{ envelope_from: email, envelope_to: inbox.address },
    ...{ state: isReadable ? 'r' : 'u', folder: LETTERS[folder], is_automatic: isAutomatic },
    opened_at: isUnread ? null : new Date(),
    conversation_id: mail.conversationId ?? id,
    ...{ from_name: name, from_address: email, answers_to: mail.answersTo ?? email, subject },
    recipients: mail.to ?? [inbox.address],
    preview: words.replace(/\s+/g, ' ').slice(0, 200),
    attachments: mail.files?.length ?? 0,
    ...(mail.campaignId === undefined ? {} : { campaign_id: mail.campaignId, seq: 1 }),
  }
}
