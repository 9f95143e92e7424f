import { sql } from 'kysely'
import type { DeliveryKey } from '../../delivery/tokens.ts'
import type { Transaction } from '../../platform/database.ts'

/** A mail of the user's own that was answered; `conversationId` where it was a reply itself. */
export type OwnMail = DeliveryKey & { conversationId: string | null }

/** Those of these deliveries that are the user's, and that went to this address; null is any. */
export async function findOwnMails(
  tx: Transaction,
  userId: string,
  { keys, addressKey }: { keys: readonly DeliveryKey[]; addressKey: string | null },
): Promise<OwnMail[]> {
  const { rows } = await sql<OwnMail>`
    select d.campaign_id as "campaignId", d.seq, c.conversation_id as "conversationId"
    from unnest(${keys.map(({ campaignId }) => campaignId)}::uuid[], ${keys.map(({ seq }) => seq)}::integer[])
      as k (campaign_id, seq)
    join deliveries d on d.campaign_id = k.campaign_id and d.seq = k.seq
    join campaigns c on c.id = d.campaign_id and c.user_id = ${userId}
    where ${addressKey}::text is null or d.address_key = ${addressKey}`.execute(tx)
  return rows
}

/** As far back as anybody answers. */
const LATEST_CAMPAIGNS = 2_000

/**
 * By the ids that a provider gave in place of ours. No index holds those of all deliveries; but who answers was sent a
 * mail, and each of the latest campaigns tells at once which one.
 */
export async function findByProviderIds(
  tx: Transaction,
  userId: string,
  { addressKey, providerIds }: { addressKey: string; providerIds: readonly string[] },
): Promise<OwnMail[]> {
  const { rows } = await sql<OwnMail>`
    select d.campaign_id as "campaignId", d.seq, c.conversation_id as "conversationId"
    from (
      select id, conversation_id, created_at from campaigns where user_id = ${userId}
      order by created_at desc limit ${LATEST_CAMPAIGNS}
    ) c
    cross join lateral (
      select campaign_id, seq, provider_id from deliveries
      where campaign_id = c.id and address_key = ${addressKey} offset 0
    ) d
    where d.provider_id = any(${providerIds}::text[])
    order by c.created_at desc limit 1`.execute(tx)
  return rows
}

type KnownMessage = { messageId: string; conversationId: string }

/** Received ones. They stay in their conversation until the end of the transaction. */
export async function findMessages(
  tx: Transaction,
  userId: string,
  { ids, except }: { ids: readonly string[]; except: string },
): Promise<KnownMessage[]> {
  const { rows } = await sql<KnownMessage>`
    select message_id as "messageId", conversation_id as "conversationId" from inbox_messages
    where user_id = ${userId} and message_id = any(${ids}::text[]) and message_id <> '' and id <> ${except}
    order by received_at desc, id
    for share`.execute(tx)
  return rows
}

/** Where an earlier answer to the same mail of ours stands. */
export async function findSibling(
  tx: Transaction,
  userId: string,
  { campaignId, seq }: DeliveryKey,
  except: string,
): Promise<string | null> {
  const { rows } = await sql<{ conversationId: string }>`
    select conversation_id as "conversationId" from inbox_messages
    where campaign_id = ${campaignId} and seq = ${seq} and user_id = ${userId} and id <> ${except}
    order by received_at, id limit 1
    for share`.execute(tx)
  return rows[0]?.conversationId ?? null
}

/** Any fixed number: those who sort messages of one user into conversations meet at this lock. */
const THREADS_LOCK = 7_041_777

/** One after the other: of two that answer each other, the second then always sees the first. */
export async function lockThreads(tx: Transaction, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(THREADS_LOCK)}, hashtext(${userId}))`.execute(tx)
}

/** Of one message; no honest one has more answers that came before it. */
const EARLY_MAX = 100

/** Conversations of their own that began with an answer to this message, since it was not here yet. */
export async function findEarlyAnswers(
  tx: Transaction,
  userId: string,
  { messageId, except }: { messageId: string; except: string },
): Promise<string[]> {
  if (messageId === '') return []
  const { rows } = await sql<{ id: string }>`
    select id from inbox_messages
    where user_id = ${userId} and answered_ids <> '{}' and answered_ids @> array[${messageId}]::text[]
      and conversation_id = id and id <> ${except} and campaign_id is null and state <> 'w'
    limit ${EARLY_MAX}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** What was read before the message that it answers comes along with it. */
export async function moveConversation(
  tx: Transaction,
  userId: string,
  from: string,
  to: string,
): Promise<void> {
  await tx
    .updateTable('inbox_messages')
    .set({ conversation_id: to })
    .where('conversation_id', '=', from)
    .where('user_id', '=', userId)
    .execute()
  await tx
    .updateTable('campaigns')
    .set({ conversation_id: to })
    .where('conversation_id', '=', from)
    .where('user_id', '=', userId)
    .execute()
}
