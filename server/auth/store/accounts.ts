import type { Database, Transaction } from '../../platform/database.ts'

type Db = Database | Transaction

export type User = { id: string; email: string }
/** A user together with what the password was hashed to: the proof of which password is meant. */
export type Owner = User & { passwordHash: string }

export async function findUserByKey(db: Db, emailKey: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
  return row ?? null
}

/** The account of an address, with what a password is compared with. */
export async function findOwner(db: Db, emailKey: string): Promise<Owner | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
  return row ?? null
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
