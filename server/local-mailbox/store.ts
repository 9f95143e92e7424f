import type { Database } from '../platform/database.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import { nameAndAddress } from '../providers/mail-safety.ts'
import type { OutgoingMail } from '../providers/provider.ts'

export type MailboxMessage = {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  receivedAt: Date
}

export type LocalMailboxStore = {
  /** The id of the kept mail; a mail that comes again under its key is the one that is there. */
  deposit(mail: OutgoingMail): Promise<string>
  /** Newest first. */
  list(query: { to: string | null; limit: number }): Promise<MailboxMessage[]>
  find(id: string): Promise<MailboxMessage | null>
}

/** Plenty to look back on, and some hundred megabytes at most. */
const KEPT = 10_000
/** Counting on every deposit would cost more than the few rows that wait meanwhile. */
const PRUNE_EVERY = 200

export function createLocalMailboxStore(
  db: Database,
  { kept = KEPT, pruneEvery = PRUNE_EVERY } = {},
): LocalMailboxStore {
  let deposits = 0

  return {
    async deposit(mail) {
      const inserted = await db
        .insertInto('local_mailbox_messages')
        .values({
          idempotency_key: mail.idempotencyKey,
          recipient: mail.to,
          recipient_key: keyOf(mail.to),
          sender: nameAndAddress(mail.from),
          subject: mail.subject,
          text_body: mail.text,
          html_body: mail.html,
          headers: JSON.stringify(headersOf(mail)),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (deposits++ % pruneEvery === 0) await prune(db, kept)
      return inserted?.id ?? (await keptUnder(db, mail.idempotencyKey))
    },

    async list({ to, limit }) {
      let query = messages(db).orderBy('received_at', 'desc').orderBy('id', 'desc').limit(limit)
      if (to !== null) query = query.where('recipient_key', '=', keyOf(to))
      return (await query.execute()).map(toMessage)
    },

    async find(id) {
      const row = await messages(db).where('id', '=', id).executeTakeFirst()
      return row ? toMessage(row) : null
    },
  }
}

const messages = (db: Database) =>
  db
    .selectFrom('local_mailbox_messages')
    .select(['id', 'recipient', 'sender', 'subject', 'text_body', 'html_body', 'headers', 'received_at'])

type Row = Awaited<ReturnType<ReturnType<typeof messages>['execute']>>[number]

const toMessage = (row: Row): MailboxMessage => ({
  id: row.id,
  to: row.recipient,
  from: row.sender,
  subject: row.subject,
  text: row.text_body,
  html: row.html_body,
  // Written by deposit alone, in this shape.
  headers: row.headers as Record<string, string>,
  receivedAt: row.received_at,
})

/** The same mailbox in any spelling; what is no address at all is at least found as it was written. */
const keyOf = (address: string): string => parseMailAddress(address)?.key ?? address.trim().toLowerCase()

const headersOf = (mail: OutgoingMail): Record<string, string> => ({
  From: nameAndAddress(mail.from),
  To: mail.to,
  ...(mail.replyTo === null ? {} : { 'Reply-To': mail.replyTo }),
  Subject: mail.subject,
  'Message-ID': mail.messageId,
  ...mail.headers,
})

async function keptUnder(db: Database, idempotencyKey: string): Promise<string> {
  const { id } = await db
    .selectFrom('local_mailbox_messages')
    .select('id')
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  return id
}

async function prune(db: Database, kept: number): Promise<void> {
  await db
    .deleteFrom('local_mailbox_messages')
    .where('id', 'in', (query) =>
      query
        .selectFrom('local_mailbox_messages')
        .select('id')
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .offset(kept),
    )
    .execute()
}
