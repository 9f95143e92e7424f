import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import { nameAndAddress } from '../providers/name-and-address.ts'
import { type Copy, type Letter, markedHeaders, plainHeaders, replyToOf } from '../providers/provider.ts'

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
  /** The ids of the kept copies, in order; a copy that comes again under its key is the one that is there. */
  deposit(letter: Letter, copies: readonly Copy[]): Promise<string[]>
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
  // Whoever starts does not know how many there are.
  let sincePruned = pruneEvery

  return {
    async deposit(letter, copies) {
      const ids = await insert(db, letter, copies)
      const missing = copies.map((copy) => copy.idempotencyKey).filter((key) => !ids.has(key))
      if (missing.length > 0) for (const [key, id] of await keptUnder(db, missing)) ids.set(key, id)
      sincePruned += copies.length
      if (sincePruned >= pruneEvery) {
        sincePruned = 0
        await prune(db, kept)
      }
      return copies.map(({ idempotencyKey }) => {
        const id = ids.get(idempotencyKey)
        if (id === undefined) throw new Error('a kept mail is gone already')
        return id
      })
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

function headersOf(letter: Letter, copy: Copy): Record<string, string> {
  const replyTo = replyToOf(letter, copy)
  return {
    From: nameAndAddress(letter.from),
    To: nameAndAddress(copy.to),
    ...(replyTo === null ? {} : { 'Reply-To': replyTo }),
    Subject: letter.subject,
    'Message-ID': copy.messageId,
    ...plainHeaders(letter),
    ...markedHeaders(letter, copy),
    ...copy.headers,
  }
}

type KeptId = { id: string; idempotency_key: string }

/** Those that are new, by key. The order of keys is the same for all, so that two calls never wait for each other. */
async function insert(db: Database, letter: Letter, copies: readonly Copy[]): Promise<Map<string, string>> {
  const column = (value: (copy: Copy) => string) => sql`${copies.map(value)}::text[]`
  const { rows } = await sql<KeptId>`
    insert into local_mailbox_messages
      (idempotency_key, recipient, recipient_key, headers, sender, subject, text_body, html_body)
    select key, recipient, recipient_key, headers::jsonb,
      ${nameAndAddress(letter.from)}, ${letter.subject},
      replace(${letter.text}::text, ${letter.mark ?? ''}::text, token),
      replace(${letter.html}::text, ${letter.mark ?? ''}::text, token)
    from unnest(
      ${column((copy) => copy.idempotencyKey)},
      ${column((copy) => copy.to.address)},
      ${column((copy) => keyOf(copy.to.address))},
      ${column((copy) => JSON.stringify(headersOf(letter, copy)))},
      ${column((copy) => copy.token ?? '')}
    ) as copies (key, recipient, recipient_key, headers, token)
    order by key
    on conflict (idempotency_key) do nothing
    returning id, idempotency_key`.execute(db)
  return byKey(rows)
}

async function keptUnder(db: Database, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<KeptId>`
    select id, idempotency_key from local_mailbox_messages
    where idempotency_key = any(${keys}::text[])`.execute(db)
  return byKey(rows)
}

const byKey = (rows: readonly KeptId[]): Map<string, string> =>
  new Map(rows.map((row) => [row.idempotency_key, row.id]))

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
