import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database.ts'
import type { MailAddress } from '../platform/mail-address.ts'

type Db = Database | Transaction

export type User = { id: string; email: string }
/** Whoever may prove an address by a password: its account, and the latest attempt to make one. */
export type Credentials = { account: Owner | null; attempt: { id: string; passwordHash: string } | null }
/** A user together with what the password was hashed to: the proof of which password is meant. */
export type Owner = User & { passwordHash: string }
export type Registration = { id: string; mailbox: MailAddress }

const CODE_MINUTES = 15
const CODE_TRIES = 5
const RESET_MINUTES = 60
/** A session ends when unused for two weeks, and after three months whatever happens. */
const SESSION_IDLE_DAYS = 14
export const SESSION_DAYS = 90
/** Far more browsers than anyone uses; the oldest sessions make room. */
const SESSIONS_PER_USER = 50
const REGISTRATION_HOURS = 24

// All times are the database's: a process whose clock is wrong does not shorten or lengthen a code's life.
const ago = (amount: number, unit: 'minutes' | 'hours' | 'days') =>
  sql<Date>`now() - make_interval(${sql.raw(unit === 'minutes' ? 'mins' : unit)} => ${amount})`
const ahead = (minutes: number) => sql<Date>`now() + make_interval(mins => ${minutes})`

export async function insertRegistration(
  tx: Transaction,
  { id, mailbox, passwordHash }: Registration & { passwordHash: string },
): Promise<void> {
  await tx
    .insertInto('registrations')
    .values({ id, email: mailbox.address, email_key: mailbox.key, password_hash: passwordHash })
    .execute()
}

export async function findRegistration(db: Db, id: string): Promise<Registration | null> {
  const row = await db
    .selectFrom('registrations')
    .select(['id', 'email', 'email_key'])
    .where('id', '=', id)
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
    .deleteFrom('registrations')
    .where('id', '=', registrationId)
    .where('code_hash', '=', codeHash)
    .returning(['id', 'email', 'email_key', 'password_hash'])
    .executeTakeFirst()
  if (!proven) return null
  const user = await tx
    .insertInto('users')
    .values(proven)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'email', 'password_hash as passwordHash'])
    .executeTakeFirst()
  // The address has its account now: codes of other attempts at it are void. The attempts stay, for a sign-in with one
  // of them must be answered as before, or it would tell that the owner has just confirmed.
  await tx
    .updateTable('registrations')
    .set({ code_hash: null, code_tries_left: 0 })
    .where('email_key', '=', proven.email_key)
    .execute()
  return user ?? null
}

export async function findUserByKey(db: Db, emailKey: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
  return row ?? null
}

export async function findCredentials(db: Db, emailKey: string): Promise<Credentials> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
  const attempt = await db
    .selectFrom('registrations')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .where('created_at', '>', ago(REGISTRATION_HOURS, 'hours'))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { account: account ?? null, attempt: attempt ?? null }
}

/** Holds the account still while a session is made for this very password: a reset waits, or has already won. */
export async function holdPassword(tx: Transaction, { id, passwordHash }: Owner): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertSession(tx: Transaction, tokenHash: string, userId: string): Promise<void> {
  await tx.insertInto('sessions').values({ token_hash: tokenHash, user_id: userId }).execute()
  await tx
    .deleteFrom('sessions')
    .where('token_hash', 'in', (newest) =>
      newest
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .offset(SESSIONS_PER_USER),
    )
    .execute()
}

export async function findSession(
  db: Db,
  tokenHash: string,
): Promise<{ user: User; isStale: boolean } | null> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.email', sql<boolean>`s.last_seen_at < ${ago(10, 'minutes')}`.as('is_stale')])
    .where('s.token_hash', '=', tokenHash)
    .where('s.last_seen_at', '>', ago(SESSION_IDLE_DAYS, 'days'))
    .where('s.created_at', '>', ago(SESSION_DAYS, 'days'))
    .executeTakeFirst()
  return row ? { user: { id: row.id, email: row.email }, isStale: row.is_stale } : null
}

export async function touchSession(db: Db, tokenHash: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function insertReset(tx: Transaction, tokenHash: string, userId: string): Promise<void> {
  await tx
    .insertInto('password_resets')
    .values({ token_hash: tokenHash, user_id: userId, expires_at: ahead(RESET_MINUTES) })
    .execute()
}

export async function isResetValid(db: Db, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Spends the link, sets the password, and ends every session: whoever had the old password is out. */
export async function resetPassword(
  tx: Transaction,
  tokenHash: string,
  passwordHash: string,
): Promise<(Owner & { emailKey: string }) | null> {
  // The account first: two links of one account, used at the same moment, would wait for each other's rows.
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', (reset) =>
      reset.selectFrom('password_resets').select('user_id').where('token_hash', '=', tokenHash),
    )
    .forUpdate()
    .execute()
  const reset = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  if (!reset) return null
  const user = await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', reset.user_id)
    .returning(['id', 'email', 'email_key as emailKey', 'password_hash as passwordHash'])
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('password_resets').where('user_id', '=', user.id).execute()
  await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  return user
}

/** Deletes what has run out. */
export async function deleteExpired(db: Database): Promise<void> {
  await db.deleteFrom('registrations').where('created_at', '<', ago(REGISTRATION_HOURS, 'hours')).execute()
  await db.deleteFrom('password_resets').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('sessions').where('last_seen_at', '<', ago(SESSION_IDLE_DAYS, 'days')).execute()
  await db.deleteFrom('auth_mails').where('sent_at', '<', ago(1, 'days')).execute()
}
