import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import { freeAccount } from './holds.ts'
import type { WindowKey } from './steps.ts'

/** Long enough for a busy machine to renew it in time, short enough that a dead worker's share is soon taken over. */
export const LEASE_MS = 10_000
/** On the database's clock: a process whose clock is wrong neither loses nor keeps a window by it. */
export const lease = sql<Date>`clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`

/**
 * What is in flight in a window that nobody holds any more may have arrived. It is repeated where the provider would
 * recognise the repetition: then it stays in flight, in its call, and is loaded with the window. Otherwise nobody can
 * know; nor if another provider stands behind the account now than when it was called.
 */
export async function settleLeftBehind(
  tx: Transaction,
  campaignId: string,
  windowId: string,
  { account, canRepeat }: { account: string; canRepeat: boolean },
): Promise<void> {
  await sql`
    with lost as (
      update deliveries d set call_seq = null, call_size = null,
        -- An event about it proves that it was taken.
        state = (case when d.confirmed_at is null then 'u' else 'a' end)::"char",
        accepted_at = coalesce(d.accepted_at, d.confirmed_at),
        reason = case when d.confirmed_at is not null then case when d.bounce is not null then d.reason end
          else 'Postrider stopped while this mail was on its way; the mail server may or may not have taken it' end
      from delivery_windows w
      where w.id = ${windowId} and d.campaign_id = ${campaignId} and d.seq = any(w.seqs) and d.state = 'i'
        and (not ${canRepeat} or d.in_flight_at < (select since from account_ways where account = ${account}))
      returning d.state
    )
    update runs r set
      in_flight = r.in_flight - l.n, unknown = r.unknown + l.unknown, accepted = r.accepted + l.n - l.unknown,
      is_open = r.queued + r.in_flight - l.n > 0
    from (select count(*) as n, count(*) filter (where state = 'u') as unknown from lost) l
    where r.campaign_id = ${campaignId} and l.n > 0`.execute(tx)
}

/**
 * For a campaign that may not be sent now: what a dead worker had in flight is settled, its windows are open again. Those
 * in hand are not a dead one's.
 */
export async function openAbandoned(
  db: Database,
  campaignId: string,
  { inHand = [], ...way }: { account: string; canRepeat: boolean; inHand?: readonly string[] },
): Promise<void> {
  // One after the other: within a transaction each would wait for deliveries behind the counts of the one before.
  let isThereMore = true
  while (isThereMore)
    isThereMore = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from delivery_windows where campaign_id = ${campaignId} and lease_until < clock_timestamp()
          and id <> all(${inHand}::bigint[])
        order by id limit 1 for update skip locked`.execute(tx)
      const [abandoned] = rows
      if (!abandoned) return false
      await settleLeftBehind(tx, campaignId, abandoned.id, way)
      await tx
        .updateTable('delivery_windows')
        .set({ token: null, lease_until: null })
        .where('id', '=', abandoned.id)
        .execute()
      return true
    })
}

/**
 * Notes which provider stands behind an account from now on; what another one was asked cannot be asked again. In two
 * commits: a step that still counts the one before as the right one began before the first of them, so that all it puts
 * in flight is older than what the second one notes. In between nothing can be asked again. What the one before has asked
 * to wait for is over with it.
 */
export async function noteWay(db: Database, account: string, identity: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update account_ways set identity = ${identity}, since = 'infinity'
      where account = ${account} and identity <> ${identity}`.execute(tx)
    if (numAffectedRows > 0n) return freeAccount(tx, account)
    await sql`
      insert into account_ways (account, identity, since) values (${account}, ${identity}, 'infinity')
      on conflict (account) do nothing`.execute(tx)
  })
  await sql`
    update account_ways set since = clock_timestamp()
    where account = ${account} and identity = ${identity} and since = 'infinity'`.execute(db)
}

/** Who sends by an account: workers with this provider, those with another one, or with another one and not one does. */
export async function wayOf(
  db: Database,
  account: string,
  identity: string,
): Promise<'ours' | 'theirs' | 'deserted'> {
  const { rows } = await sql<{ way: 'ours' | 'theirs' }>`
    select case when identity = ${identity} then 'ours' else 'theirs' end as way from account_ways
    where account = ${account} and (identity = ${identity} or exists (
      select from delivery_windows w join runs r on r.campaign_id = w.campaign_id
      where r.account = ${account} and w.lease_until >= clock_timestamp()
    ))`.execute(db)
  return rows[0]?.way ?? 'deserted'
}

/** Of a token: whose hand the window is in. What follows changes as long as it stays there. */
const HAND_LENGTH = 'xxxxxxxx-xxxx-xxxx-xxxx'.length

export const nextTokenOf = ({ token }: WindowKey): string =>
  token.slice(0, HAND_LENGTH) + randomUUID().slice(HAND_LENGTH)

/** From now on only statements with the next token count. It may be asked for again if the answer was lost. */
export async function replaceToken(db: Database, { id, token }: WindowKey, next: string): Promise<void> {
  await db
    .updateTable('delivery_windows')
    .set({ token: next })
    .where('id', '=', id)
    .where('token', 'in', [token, next])
    .execute()
}

/**
 * Answers the windows that are still ours; the others were taken over while we were away. A renewal and the replacement
 * of a token may overtake each other, so it asks only in whose hand a window is.
 */
export async function renewLeases(db: Database, windows: readonly WindowKey[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    with mine as (
      select w.id from delivery_windows w
      join unnest(${windows.map(({ id }) => id)}::bigint[], ${windows.map(({ token }) => token)}::uuid[])
        as k (id, token) on w.id = k.id
        and left(w.token::text, ${HAND_LENGTH}) = left(k.token::text, ${HAND_LENGTH})
      -- All who lock several windows do it in this order.
      order by w.id for no key update of w
    )
    update delivery_windows w set lease_until = ${lease} from mine where w.id = mine.id
    returning w.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Opens a window of its own for those of a window who only wait, in one commit: the holder keeps the others. Asked for
 * again, it finds nobody whom it has not opened already. It opens doubtful calls as well, which wait in flight, and cannot
 * tell them from one that is being made: a holder who was not answered puts nobody in flight under the same token any
 * more. False when the window is no longer the holder's.
 */
export async function openWaiting(
  db: Database,
  { id, token, campaignId }: WindowKey,
  waiting: readonly number[],
): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    with held as materialized (
      select id, seqs from delivery_windows where id = ${id} and token = ${token} for no key update
    ),
    parted as materialized (
      select id, array(select s from unnest(seqs) s where s <> all(${waiting}::integer[])) as kept,
        -- Who was left out or cancelled meanwhile waits for nothing any more.
        array(
          select d.seq from deliveries d
          where d.campaign_id = ${campaignId} and d.seq = any(${waiting}::integer[]) and d.seq = any(held.seqs)
            and d.state in ('q', 'i')
          order by d.seq
        ) as open
      from held
    ),
    opened as (
      insert into delivery_windows (campaign_id, seqs)
      select ${campaignId}::uuid, open from parted where cardinality(open) > 0
    ),
    kept as (
      update delivery_windows w set seqs = p.kept from parted p where w.id = p.id
    )
    select exists (select from held) as holds`.execute(db)
  return rows[0]?.holds ?? false
}

/**
 * Gives a window back. It goes when all its deliveries are accounted for, and is open for the next claim when not: also
 * if a statement whose answer was lost has put one in flight after we had given up on it.
 */
export async function releaseWindow(db: Database, window: WindowKey, isDone: boolean): Promise<void> {
  const { rows } = await sql<{ isGone: boolean }>`
    with gone as (
      delete from delivery_windows w where w.id = ${window.id} and w.token = ${window.token} and ${isDone}
        and not exists (
          select from deliveries d
          where d.campaign_id = w.campaign_id and d.seq = any(w.seqs) and d.state in ('q', 'i') and d.next_try_at is null
        )
      returning w.id
    )
    select exists (select from gone) as "isGone"`.execute(db)
  if (rows[0]?.isGone) return
  await db
    .updateTable('delivery_windows')
    .set({ token: null, lease_until: null })
    .where('id', '=', window.id)
    .where('token', '=', window.token)
    .execute()
}
