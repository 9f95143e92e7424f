import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/** Whether this token stands for this mail: it does for the first that comes with it, however often, and for no other. */
export async function claimToken(db: Database, tokenHash: Buffer, mailHash: Buffer): Promise<boolean> {
  const row = await db
    .insertInto('inbound_tokens')
    .values({ token_hash: tokenHash, mail_hash: mailHash })
    .onConflict((conflict) =>
      // As it was: only so is the row of the first one answered.
      conflict.column('token_hash').doUpdateSet({ mail_hash: (is) => is.ref('inbound_tokens.mail_hash') }),
    )
    .returning('mail_hash as mailHash')
    .executeTakeFirstOrThrow()
  return row.mailHash.equals(mailHash)
}

/** Nobody tries for longer than nine hours with the same one. */
export async function forgetTokens(db: Database): Promise<void> {
  await db
    .deleteFrom('inbound_tokens')
    .where('seen_at', '<', sql<Date>`now() - interval '10 hours'`)
    .execute()
}
