import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'

/** `isAsked`: the provider itself named the time. `identity`: whose time it is; another one's says nothing any more. */
type Hold = { milliseconds: number; outage: string | null; isAsked: boolean; identity?: string }

/** No worker calls the account before the time is over; the longest of several holds counts. */
export async function holdAccount(
  db: Database,
  account: string,
  { milliseconds, outage, isAsked, identity }: Hold,
): Promise<void> {
  const until = sql`clock_timestamp() + ${milliseconds} * interval '1 millisecond'`
  await sql`
    insert into account_holds as h (account, held_until, asked_until, outage)
    select ${account}, ${until}, case when ${isAsked}::boolean then ${until} end, ${outage}::text
    where not exists (
      select from account_ways y where y.account = ${account} and y.identity <> ${identity ?? null}::text)
    on conflict (account) do update set
      held_until = greatest(h.held_until, excluded.held_until),
      asked_until = greatest(h.asked_until, excluded.asked_until),
      -- The words of a hold that is long over say nothing about this one.
      outage = coalesce(excluded.outage, case when h.held_until > clock_timestamp() then h.outage end)`.execute(
    db,
  )
}

/** Everybody may call again; a wait that the provider itself asked for stays. */
export async function clearOutage(db: Database, account: string): Promise<void> {
  await sql`
    update account_holds set outage = null, held_until = coalesce(asked_until, clock_timestamp())
    where account = ${account} and outage is not null`.execute(db)
}

/** Other credentials, or another provider: whatever kept this account from being called is over. */
export async function freeAccount(tx: Transaction, account: string): Promise<void> {
  await tx.deleteFrom('account_holds').where('account', '=', account).execute()
}
