import { sql } from 'kysely'
import type { Transaction } from '../../platform/database.ts'

/** A received message that a campaign answers, and the headers that say so. */
export type Answering = {
  messageId: string
  conversationId: string
  inReplyTo: string | null
  references: string | null
}

type NewCampaign = {
  id: string
  userId: string
  subject: string
  body: string
  senderName: string
  replyTo: string
  /** Null: the product's own. */
  fromAddress: string | null
  tracksOpens: boolean
  /** Where the links in the mails lead. */
  linkOrigin: string
  /** The reply-to address is an inbox of ours, and tells in each mail which one is answered. */
  hasReplyToken: boolean
  /** The received message that this one answers. */
  answers: Answering | null
}

export async function insertCampaign(tx: Transaction, campaign: NewCampaign): Promise<void> {
  await tx
    .insertInto('campaigns')
    .values({
      id: campaign.id,
      user_id: campaign.userId,
      subject: campaign.subject,
      body: campaign.body,
      sender_name: campaign.senderName,
      reply_to: campaign.replyTo,
      from_address: campaign.fromAddress,
      tracks_opens: campaign.tracksOpens,
      link_origin: campaign.linkOrigin,
      recipient_count: 0,
      has_reply_token: campaign.hasReplyToken,
      answers_message_id: campaign.answers?.messageId ?? null,
      conversation_id: campaign.answers?.conversationId ?? null,
      in_reply_to: campaign.answers?.inReplyTo ?? null,
      mail_references: campaign.answers?.references ?? null,
    })
    .execute()
}

/** What is known once the whole list is in. */
export async function completeCampaign(
  tx: Transaction,
  id: string,
  known: { recipients: number; hasUnsubscribe: boolean },
): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({ recipient_count: known.recipients, has_unsubscribe: known.hasUnsubscribe })
    .where('id', '=', id)
    .execute()
}

/**
 * Takes an idempotency key, or gives what was answered under it before. Who comes with the same key at the same moment
 * waits here until the first has committed, or failed. Keys stay as long as their campaigns: a draft has no end, and one
 * that was sent and is still there must not go out to everybody once more.
 */
export async function takeKey(
  tx: Transaction,
  userId: string,
  { key, requestHash, forSeconds }: { key: string; requestHash: string; forSeconds?: number },
): Promise<{ requestHash: string; answer: unknown } | null> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: requestHash })
    .onConflict((conflict) => {
      const known = conflict.columns(['user_id', 'key'])
      if (forSeconds === undefined) return known.doNothing()
      const isOld = sql<boolean>`idempotency_keys.created_at < now() - make_interval(secs => ${forSeconds})`
      return known.doUpdateSet({ created_at: sql`now()`, request_hash: requestHash }).where(isOld)
    })
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return null
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash as requestHash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

export async function keepAnswer(
  tx: Transaction,
  userId: string,
  key: string,
  answer: object,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}
