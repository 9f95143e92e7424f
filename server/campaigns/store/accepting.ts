import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'

export type NewCampaign = {
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
 * waits here until the first has committed, or failed.
 */
export async function takeKey(
  tx: Transaction,
  userId: string,
  key: string,
  requestHash: string,
): Promise<{ requestHash: string; answer: unknown } | null> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: requestHash })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
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

const KEY_DAYS = 7

export async function deleteOldKeys(db: Database): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEY_DAYS})`)
    .execute()
}
