import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { knownZone } from '../time-zones.ts'

/** A message in somebody's chat that follows a campaign, or (null) the list of the latest ones. */
export type LiveCard = {
  linkId: string
  messageId: string
  campaignId: string | null
  /** A hash of what it shows. */
  shown: string
  userId: string
  telegramUserId: string
  timeZone: string
}

type CardKey = { linkId: string; messageId: number | string }
type Shown = { campaignId: string | null; shown: string; isLive: boolean }

/** Nobody watches more than that of one campaign in one chat; the older ones stop. */
const LIVE_MAX = 3
/** Nobody looks at it any more. */
const LIVE_HOURS = 48

/** What a message shows from now on; answers whose chat it is in, or null where it is not theirs to see. */
export async function keepCard(
  db: Database,
  { linkId, messageId }: CardKey,
  { campaignId, shown, isLive }: Shown,
): Promise<string | null> {
  const { rows } = await sql<{ userId: string }>`
    with kept as (
      insert into telegram_cards (link_id, message_id, campaign_id, shown, is_live)
      select l.id, ${messageId}, ${campaignId}, ${shown}, ${isLive} from telegram_links l
      where l.id = ${linkId} and (${campaignId}::uuid is null
        or exists (select from campaigns c where c.id = ${campaignId} and c.user_id = l.user_id))
      on conflict (link_id, message_id) do update set campaign_id = excluded.campaign_id, inbox_message_id = null,
        shown = excluded.shown, is_live = excluded.is_live, created_at = now()
      returning link_id)
    select l.user_id as "userId" from kept join telegram_links l on l.id = kept.link_id`.execute(db)
  if (isLive)
    await sql`
      update telegram_cards set is_live = false
      where link_id = ${linkId} and is_live and message_id in (
        select message_id from telegram_cards
        where link_id = ${linkId} and is_live and campaign_id is not distinct from ${campaignId}::uuid
        order by created_at desc, message_id desc offset ${LIVE_MAX})`.execute(db)
  return rows[0]?.userId ?? null
}

/** Those that show one of these campaigns, or the list of one of these users; without an answer to whose, all. */
export async function listLiveCards(
  db: Database,
  of: { campaignIds: readonly string[]; userIds: readonly string[] } | null,
): Promise<LiveCard[]> {
  const these = of
    ? sql`and (k.campaign_id = any(${of.campaignIds}::uuid[])
        or k.campaign_id is null and l.user_id = any(${of.userIds}::uuid[]))`
    : sql``
  const { rows } = await sql<LiveCard>`
    select k.link_id as "linkId", k.message_id as "messageId", k.campaign_id as "campaignId", k.shown,
      l.user_id as "userId", l.telegram_user_id as "telegramUserId", l.time_zone as "timeZone"
    from telegram_cards k join telegram_links l on l.id = k.link_id
    where k.is_live and l.blocked_at is null ${these}
    order by k.link_id, k.message_id desc`.execute(db)
  return rows.map((card) => ({ ...card, timeZone: knownZone(card.timeZone) }))
}

/** Whether it is still to be changed: whoever looks at a question below it is not disturbed. */
export async function isLive(db: Database, { linkId, messageId }: CardKey): Promise<boolean> {
  const row = await db
    .selectFrom('telegram_cards')
    .select('is_live')
    .where('link_id', '=', linkId)
    .where('message_id', '=', String(messageId))
    .executeTakeFirst()
  return row?.is_live ?? false
}

export async function noteShown(
  db: Database,
  { linkId, messageId }: CardKey,
  next: { shown: string; isLive: boolean },
): Promise<void> {
  await db
    .updateTable('telegram_cards')
    .set({ shown: next.shown, is_live: next.isLive })
    .where('link_id', '=', linkId)
    .where('message_id', '=', String(messageId))
    // It may show something else by now.
    .where('is_live', '=', true)
    .execute()
}

export async function stopCard(db: Database, { linkId, messageId }: CardKey): Promise<void> {
  await db
    .updateTable('telegram_cards')
    .set({ is_live: false })
    .where('link_id', '=', linkId)
    .where('message_id', '=', String(messageId))
    .execute()
}

/** Too old, or in a chat where nothing can be said. */
export async function stopOldCards(db: Database): Promise<void> {
  await sql`
    update telegram_cards k set is_live = false from telegram_links l
    where k.is_live and l.id = k.link_id
      and (l.blocked_at is not null or k.created_at < now() - ${LIVE_HOURS} * interval '1 hour')`.execute(db)
}
