import { sql } from 'kysely'
import { TOLD_REASON } from '../../delivery/told.ts'
import type { Database } from '../../platform/database.ts'

/** Of each kind; a longer conversation shows its latest ones. */
const ENTRIES_MAX = 100

type Received = { messageId: string; name: string; email: string; preview: string; timestamp: Date }

/** All but this one, oldest first. */
export async function listReceived(
  db: Database,
  userId: string,
  { conversationId, except }: { conversationId: string; except: string },
): Promise<Received[]> {
  const { rows } = await sql<Received>`
    select id as "messageId", from_name as name, from_address as email, preview, received_at as timestamp
    from inbox_messages
    where conversation_id = ${conversationId} and user_id = ${userId} and state <> 'w' and id <> ${except}
    order by received_at desc, id desc limit ${ENTRIES_MAX}`.execute(db)
  return rows.reverse()
}

type Sent = {
  campaignId: string
  to: string
  subject: string
  text: string
  timestamp: Date
  /** A letter. */
  state: string
  reason: string | null
}

/** Our replies, and the mails of campaigns that were answered in it; oldest first. */
export async function listSent(db: Database, userId: string, conversationId: string): Promise<Sent[]> {
  const { rows } = await sql<Sent>`
    with own as (
      select c.id, 1 as seq from campaigns c
      where c.conversation_id = ${conversationId} and c.user_id = ${userId}
      union
      select m.campaign_id, m.seq from inbox_messages m
      where m.conversation_id = ${conversationId} and m.user_id = ${userId} and m.state <> 'w'
        and m.campaign_id is not null
    )
    select c.id as "campaignId", d.address as "to", c.subject, c.body as text, c.created_at as timestamp,
      d.state::text as state, ${TOLD_REASON} as reason
    from own
    join campaigns c on c.id = own.id and c.user_id = ${userId}
    join deliveries d on d.campaign_id = own.id and d.seq = own.seq
    order by c.created_at desc, c.id desc limit ${ENTRIES_MAX}`.execute(db)
  return rows.reverse()
}
