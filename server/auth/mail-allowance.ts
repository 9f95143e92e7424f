import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database.ts'

/** How many mails of a kind an address may get, whoever asks for them: nobody can use us to flood a mailbox. */
export type Allowance = { kind: string; perHour: number; perDay: number }

/** A quick look that takes nothing, so that asking a thousand times costs a thousand look-ups and no more. */
export async function hasAllowance(
  db: Database | Transaction,
  emailKey: string,
  { kind, perHour, perDay }: Allowance,
): Promise<boolean> {
  const sent = await db
    .selectFrom('auth_mails')
    .select((eb) => [
      eb.fn.countAll<string>().as('day'),
      eb.fn.countAll<string>().filterWhere('sent_at', '>', sql<Date>`now() - interval '1 hour'`).as('hour'),
    ])
    .where('email_key', '=', emailKey)
    .where('kind', '=', kind)
    .where('sent_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return Number(sent.hour) < perHour && Number(sent.day) < perDay
}

/** Counts one mail unless the allowance is used up; several at once are judged one after the other. */
export async function takeAllowance(
  tx: Transaction,
  emailKey: string,
  allowance: Allowance,
): Promise<boolean> {
  const key = `auth-mail ${allowance.kind} ${emailKey}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  if (!(await hasAllowance(tx, emailKey, allowance))) return false
  await tx.insertInto('auth_mails').values({ email_key: emailKey, kind: allowance.kind }).execute()
  return true
}
