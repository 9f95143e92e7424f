import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database.ts'
import type { MailAddress } from '../../platform/mail-address.ts'
import type { Owner } from './accounts.ts'
import { ago, ahead } from './times.ts'

type Db = Database | Transaction

export type Registration = { id: string; mailbox: MailAddress }

const CODE_MINUTES = 15
const CODE_TRIES = 5
export const REGISTRATION_HOURS = 24
/** Instead of the hash of a proven attempt, whose password is the account's from then on: no password has it. */
const PROVEN = ''

export async function insertRegistration(
  tx: Transaction,
  { id, mailbox, passwordHash }: Registration & { passwordHash: string },
): Promise<void> {
  await tx
    .insertInto('registrations')
    .values({ id, email: mailbox.address, email_key: mailbox.key, password_hash: passwordHash })
    .execute()
}

/** An attempt that may still be confirmed. */
export async function findRegistration(db: Db, id: string): Promise<Registration | null> {
  const row = await db
    .selectFrom('registrations')
    .select(['id', 'email', 'email_key'])
    .where('id', '=', id)
    .where('password_hash', '!=', PROVEN)
    .where('created_at', '>', ago(REGISTRATION_HOURS, 'hours'))
    .executeTakeFirst()
  return row ? { id: row.id, mailbox: { address: row.email, key: row.email_key } } : null
}

export async function setCode(tx: Transaction, registrationId: string, codeHash: string): Promise<void> {
  await tx
    .updateTable('registrations')
    .set({ code_hash: codeHash, code_expires_at: ahead(CODE_MINUTES), code_tries_left: CODE_TRIES })
    .where('id', '=', registrationId)
    .execute()
}

/** Uses up one try in a single statement: of many guesses at once no more than the tries left are ever judged. */
export async function takeCodeTry(db: Db, registrationId: string): Promise<string | null> {
  const row = await db
    .updateTable('registrations')
    .set((eb) => ({ code_tries_left: eb('code_tries_left', '-', 1) }))
    .where('id', '=', registrationId)
    .where('code_tries_left', '>', 0)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash ?? null
}

/** Whether there are other attempts at the address, any of which its owner may have made. */
export async function isContested(db: Db, registrationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('registrations as mine')
    .innerJoin('registrations as other', 'other.email_key', 'mine.email_key')
    .select('other.id')
    .where('mine.id', '=', registrationId)
    .where('other.id', '!=', registrationId)
    .where((eb) =>
      eb.or([
        eb('other.created_at', '>', ago(REGISTRATION_HOURS, 'hours')),
        eb('other.code_expires_at', '>', sql<Date>`now()`),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Makes the account of a proven address, once: null when the code was used or the address taken meanwhile. */
export async function activate(
  tx: Transaction,
  registrationId: string,
  codeHash: string,
): Promise<Owner | null> {
  // Two attempts at one address that are proven in the same moment would wait for each other's rows.
  await sql`select pg_advisory_xact_lock(hashtextextended('activate ' || email_key, 0))
    from registrations where id = ${registrationId}`.execute(tx)
  const proven = await tx
    .selectFrom('registrations')
    .select(['id', 'email', 'email_key', 'password_hash'])
    .where('id', '=', registrationId)
    .where('code_hash', '=', codeHash)
    .forUpdate()
    .executeTakeFirst()
  if (!proven) return null
  const user = await tx
    .insertInto('users')
    .values(proven)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'email', 'password_hash as passwordHash'])
    .executeTakeFirst()
  // The address has its account now, and no code makes another. All attempts at it stay, this one too, for what is done
  // with the others must be answered as before, in the same time, or it would tell that the owner has just confirmed.
  await tx
    .updateTable('registrations')
    .set({ password_hash: PROVEN, code_hash: null, code_tries_left: 0 })
    .where('id', '=', proven.id)
    .execute()
  return user ?? null
}

/** The latest attempt at an address, with what a password is compared with: nothing where it is proven. */
export async function findLatestAttempt(
  db: Db,
  emailKey: string,
): Promise<{ id: string; passwordHash: string | null } | null> {
  const row = await db
    .selectFrom('registrations')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .where('created_at', '>', ago(REGISTRATION_HOURS, 'hours'))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { id: row.id, passwordHash: row.passwordHash === PROVEN ? null : row.passwordHash } : null
}
