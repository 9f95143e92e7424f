import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** No worker calls the account before the time is over; the longest of several holds counts. */
export async function holdAccount(
  db: Database,
  account: string,
  { milliseconds, outage }: { milliseconds: number; outage: string | null },
): Promise<void> {
  await sql`
    insert into account_holds as h (account, held_until, outage)
    values (${account}, clock_timestamp() + ${milliseconds} * interval '1 millisecond', ${outage})
    on conflict (account) do update set
      held_until = greatest(h.held_until, excluded.held_until), outage = coalesce(excluded.outage, h.outage)`.execute(
    db,
  )
}

/** Everybody may call again; a wait that the provider itself asked for stays. */
export async function clearOutage(db: Database, account: string): Promise<void> {
  await db
    .deleteFrom('account_holds')
    .where('account', '=', account)
    .where('outage', 'is not', null)
    .execute()
}
