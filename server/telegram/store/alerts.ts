import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { knownZone } from '../time-zones.ts'
import type { Person } from './links.ts'

type AlertKind = 'finished' | 'paused' | 'bounces' | 'reply'
/** `about`: the campaign or the message. `occasion`: what makes it news again. */
export type NewAlert = { linkId: string; kind: AlertKind; about: string; occasion: string }
export type Alert = Omit<NewAlert, 'linkId' | 'occasion'> & { id: string; createdAt: Date }

/** Longer than it takes to tell somebody everything that waits, with all the patience that Telegram may ask for. */
const CLAIM_SECONDS = 180
/** Those of one person that are told in one go; what is too old to be told is only counted, all at once. */
const CLAIM_MAX = 200
const OLD = sql`now() - interval '1 day'`
/** Somebody whose provider comes and goes would hear of nothing else; a pause that lasts so long is told all the same. */
const JUST_TOLD = sql`now() - interval '10 minutes'`
/** Before the occasion of a pause that was told and has ended: another one of the same kind is news, but not at once. */
const ENDED = 'ended: '

/** What is known already, or of which the like was told just now, is not news; answers whether it is. */
export async function insertAlert(
  db: Database,
  { linkId, kind, about, occasion }: NewAlert,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into telegram_alerts (link_id, kind, about, occasion)
    select ${linkId}, ${kind}, ${about}, ${occasion}
    where not exists (
      select from telegram_alerts where link_id = ${linkId} and kind = ${kind} and about = ${about}
        and occasion = ${ENDED + occasion} and told_at >= ${JUST_TOLD})
    on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Nobody tells it for so long, if it is found meanwhile: whoever holds it may say it themselves. */
export async function holdAlert(
  db: Database,
  { linkId, kind, about, occasion }: NewAlert,
  seconds: number,
): Promise<void> {
  await sql`
    insert into telegram_alerts (link_id, kind, about, occasion, claimed_until)
    values (${linkId}, ${kind}, ${about}, ${occasion}, now() + ${seconds} * interval '1 second')
    on conflict (link_id, kind, about, occasion) do update set claimed_until = excluded.claimed_until
    where telegram_alerts.told_at is null`.execute(db)
}

/** It was said, or is no news yet: then it is when it is found again. */
export async function releaseAlert(
  db: Database,
  { linkId, kind, about, occasion }: NewAlert,
  { isSaid }: { isSaid: boolean },
): Promise<void> {
  const isIt = sql`link_id = ${linkId} and kind = ${kind} and about = ${about} and occasion = ${occasion}`
  if (isSaid)
    await sql`update telegram_alerts set told_at = now(), claimed_until = null where ${isIt}`.execute(db)
  else await sql`delete from telegram_alerts where ${isIt} and told_at is null`.execute(db)
}

/** It goes on: a pause that nobody has been told of needs no telling any more, and the next one is news. */
export async function endPauses(db: Database, linkId: string, campaignId: string): Promise<void> {
  const isIt = sql`link_id = ${linkId} and kind = 'paused' and about = ${campaignId}`
  await sql`
    delete from telegram_alerts
    where ${isIt} and case when told_at is null then claimed_until is null or claimed_until < now()
      else told_at < ${JUST_TOLD} end`.execute(db)
  await sql`
    update telegram_alerts set occasion = ${ENDED} || occasion
    where ${isIt} and told_at is not null and not starts_with(occasion, ${ENDED})`.execute(db)
}

/** By these ids, or what has come in so many hours; only from people, only since the link. Answers how many are news. */
export async function insertReplies(
  db: Database,
  which: { ids: readonly string[] } | { hours: number },
): Promise<number> {
  const wanted =
    'ids' in which
      ? sql`m.id = any(${which.ids}::uuid[])`
      : sql`m.received_at > now() - ${which.hours} * interval '1 hour'`
  const { numAffectedRows } = await sql`
    insert into telegram_alerts (link_id, kind, about, occasion)
    select l.id, 'reply', m.id, '' from telegram_links l join inbox_messages m on m.user_id = l.user_id
    where ${wanted} and m.folder = 'i' and m.state <> 'w' and not m.is_automatic and m.received_at > l.linked_at
      and not exists (
        select from telegram_alerts a where a.link_id = l.id and a.kind = 'reply' and a.about = m.id and a.occasion = '')
    order by m.received_at, m.id
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

type WaitingLink = Pick<Person, 'linkId' | 'timeZone' | 'quietHours'>

/** Those who have something to hear, can, and are not just being told. */
export async function listWaitingLinks(db: Database): Promise<WaitingLink[]> {
  const { rows } = await sql<WaitingLink>`
    select l.id as "linkId", l.time_zone as "timeZone",
      case when l.quiet_from is not null then json_build_object('from', l.quiet_from, 'until', l.quiet_until) end
        as "quietHours"
    from telegram_alerts a join telegram_links l on l.id = a.link_id
    where a.told_at is null and l.blocked_at is null
    group by l.id having bool_and(a.claimed_until is null or a.claimed_until <= now())`.execute(db)
  return rows.map((link) => ({ ...link, timeZone: knownZone(link.timeZone) }))
}

/**
 * Everything that waits for one person, in the order in which it happened; nothing while somebody else is telling them.
 * Mails are read side by side: one may be found before another that came earlier.
 */
export async function claimAlerts(db: Database, linkId: string): Promise<Alert[]> {
  return db.transaction().execute(async (tx) => {
    // One at a time: whoever comes second sees what the first has claimed.
    await sql`select from telegram_links where id = ${linkId} for update`.execute(tx)
    const { rows } = await sql<Alert>`
      with claimed as (
        update telegram_alerts set claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
        where link_id = ${linkId} and told_at is null
          and (created_at < ${OLD} or id in (
            select id from telegram_alerts where link_id = ${linkId} and told_at is null and created_at >= ${OLD}
            order by id limit ${CLAIM_MAX}))
          and not exists (
            select from telegram_alerts where link_id = ${linkId} and told_at is null and claimed_until > now())
        returning id, kind, about, created_at)
      select c.id, c.kind, c.about, c.created_at as "createdAt"
      from claimed c left join inbox_messages m on c.kind = 'reply' and m.id = c.about
      order by coalesce(m.received_at, c.created_at), c.id`.execute(tx)
    return rows
  })
}

export async function finishAlerts(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('telegram_alerts')
    .set({ told_at: sql<Date>`now()`, claimed_until: null })
    .where('id', 'in', [...ids])
    .execute()
}

/** They are no news any more, and nobody was told: found again, they are. */
export async function dropAlerts(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('telegram_alerts')
    .where('id', 'in', [...ids])
    .execute()
}

/** Nobody is told before; those that are new meanwhile wait behind them. */
export async function postponeAlerts(db: Database, ids: readonly string[], seconds: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('telegram_alerts')
    .set({ claimed_until: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('id', 'in', [...ids])
    .execute()
}
