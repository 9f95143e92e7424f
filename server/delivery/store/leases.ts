import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { WindowKey } from './steps.ts'

/** Long enough for a busy machine to renew it in time, short enough that a dead worker's share is soon taken over. */
export const LEASE_MS = 10_000
/** On the database's clock: a process whose clock is wrong neither loses nor keeps a window by it. */
export const lease = sql<Date>`clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`

/**
 * Whoever held this window is gone. What was in flight may have arrived: it is repeated where the provider would
 * recognise the repetition, and otherwise nobody can know.
 */
export async function settleLeftBehind(
  tx: Transaction,
  campaignId: string,
  windowId: string,
  canRepeat: boolean,
): Promise<void> {
  // What is repeated stays in flight, in its call, and is loaded with the window.
  if (canRepeat) return
  await sql`
    with lost as (
      update deliveries d set state = 'u', call_seq = null, call_size = null,
        reason = 'Postrider stopped while this mail was on its way; the mail server may or may not have taken it'
      from delivery_windows w
      where w.id = ${windowId} and d.campaign_id = ${campaignId} and d.seq = any(w.seqs) and d.state = 'i'
      returning d.seq
    )
    update runs r set
      in_flight = r.in_flight - l.n, unknown = r.unknown + l.n, is_open = r.queued + r.in_flight - l.n > 0
    from (select count(*) as n from lost) l
    where r.campaign_id = ${campaignId} and l.n > 0`.execute(tx)
}

/** For a campaign that may not be sent now: what a dead worker had in flight is settled, its windows are open again. */
export async function openAbandoned(db: Database, campaignId: string, canRepeat: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from delivery_windows where campaign_id = ${campaignId} and lease_until < clock_timestamp()
      order by id for update skip locked`.execute(tx)
    for (const { id } of rows) {
      await settleLeftBehind(tx, campaignId, id, canRepeat)
      await tx
        .updateTable('delivery_windows')
        .set({ token: null, lease_until: null })
        .where('id', '=', id)
        .execute()
    }
  })
}

/** Answers the windows that are still ours; the others were taken over while we were away. */
export async function renewLeases(db: Database, windows: readonly WindowKey[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    update delivery_windows w set lease_until = ${lease}
    from unnest(${windows.map(({ id }) => id)}::bigint[], ${windows.map(({ token }) => token)}::uuid[]) as k (id, token)
    where w.id = k.id and w.token = k.token
    returning w.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Gives a window back: gone when all its deliveries are accounted for, open for the next claim when not. */
export async function releaseWindow(db: Database, window: WindowKey, isDone: boolean): Promise<void> {
  const mine = { id: window.id, token: window.token }
  if (isDone)
    await db
      .deleteFrom('delivery_windows')
      .where('id', '=', mine.id)
      .where('token', '=', mine.token)
      .execute()
  else
    await db
      .updateTable('delivery_windows')
      .set({ token: null, lease_until: null })
      .where('id', '=', mine.id)
      .where('token', '=', mine.token)
      .execute()
}
