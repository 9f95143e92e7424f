import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { Envelope, InboxTarget } from '../target.ts'

type Arrival = {
  id: string
  target: InboxTarget
  envelope: Envelope
  identity: Buffer
  messageId: string
}

/** Large mails are written and read so much at a time. */
const PIECE = 1_000_000

/** False where the same mail is here already; one that is just being stored is waited for. */
export async function insertArrival(tx: Transaction, arrival: Arrival): Promise<boolean> {
  const { id, target, envelope, identity, messageId } = arrival
  const { inboxId, userId, delivery } = target
  const { numAffectedRows } = await sql`
    insert into inbox_messages (id, conversation_id, inbox_id, user_id, identity, envelope_from, envelope_to,
      message_id, campaign_id, seq)
    select ${id}, ${id}, ${inboxId}, ${userId}, ${identity}, ${envelope.from}, ${envelope.to}, ${messageId}, c.id,
      case when c.id is not null then ${delivery?.seq ?? null}::integer end
    from (values (1)) one
    left join campaigns c on c.id = ${delivery?.campaignId ?? null} and c.user_id = ${userId}
    on conflict (inbox_id, identity) do nothing`.execute(tx)
  return numAffectedRows === 1n
}

export async function insertSource(tx: Transaction, messageId: string, raw: Buffer): Promise<void> {
  for (let part = 0; part === 0 || part * PIECE < raw.length; part += 1)
    await tx
      .insertInto('inbox_sources')
      .values({ message_id: messageId, part, raw: raw.subarray(part * PIECE, (part + 1) * PIECE) })
      .execute()
}

/** Piece by piece, as it was stored. */
export async function* readSource(db: Database, messageId: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const row = await db
      .selectFrom('inbox_sources')
      .select('raw')
      .where('message_id', '=', messageId)
      .where('part', '=', part)
      .executeTakeFirst()
    if (row) yield row.raw
    if (!row || row.raw.length < PIECE) return
  }
}

/** The whole of it, in one piece of memory that is exactly as large; null where it was deleted meanwhile. */
export async function loadSource(db: Database, messageId: string): Promise<Buffer | null> {
  const { rows } = await sql<{ size: number }>`
    select coalesce(sum(octet_length(raw)), 0)::integer as size from inbox_sources
    where message_id = ${messageId}`.execute(db)
  const whole = Buffer.allocUnsafeSlow(rows[0]?.size ?? 0)
  let at = 0
  for await (const piece of readSource(db, messageId)) at += piece.copy(whole, at)
  // What nobody has written over is whatever was in that memory before.
  return at === whole.length ? whole : null
}

/** Those whose job got lost; the oldest first. */
export async function findForgotten(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('inbox_messages')
    .select('id')
    .where('state', '=', 'w')
    .where('received_at', '<', sql<Date>`now() - interval '1 minute'`)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
