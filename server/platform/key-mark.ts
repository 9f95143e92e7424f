import { sql } from 'kysely'
import type { Database, Transaction } from './database.ts'
import { StartError } from './errors.ts'
import { createSecrets, type Secrets } from './secrets.ts'

const PURPOSE = 'key mark'
const MARKED = 'postrider'

const markOf = (secrets: Pick<Secrets, 'sign'>): string => secrets.sign(PURPOSE, MARKED).toString('base64url')

/** Whether a database is used with this key; one that was never used is ready for any. */
export async function isKnownKey(db: Database, secrets: Pick<Secrets, 'isSigned'>): Promise<boolean> {
  const mark = await findMark(db)
  return mark === undefined || isMarkOf(secrets, mark)
}

/** Whether a database is used with this key and no other: what this one does not open, none in use does. */
export async function isMarkedKey(
  db: Database | Transaction,
  secrets: Pick<Secrets, 'isSigned'>,
): Promise<boolean> {
  const mark = await findMark(db)
  return mark !== undefined && isMarkOf(secrets, mark)
}

async function findMark(db: Database | Transaction): Promise<string | undefined> {
  const row = await db.selectFrom('key_mark').select('mark').executeTakeFirst()
  return row?.mark
}

const isMarkOf = (secrets: Pick<Secrets, 'isSigned'>, mark: string): boolean =>
  secrets.isSigned(PURPOSE, MARKED, Buffer.from(mark, 'base64url'))

/**
 * The key of the first start is that of the installation. With another one everything would seem to work, and whoever
 * follows a link in a mail that is out would be told that it does not exist. `keyFile` is null where the key is named.
 */
export async function requireKnownKey(
  db: Database,
  masterKey: string,
  keyFile: string | null,
): Promise<void> {
  const secrets = createSecrets(masterKey)
  // Of several first starts at the same moment the mark of one stays, and the others look at it like everybody.
  await sql`insert into key_mark (mark) values (${markOf(secrets)}) on conflict do nothing`.execute(db)
  if (await isKnownKey(db, secrets)) return
  const [what, cure] =
    keyFile === null
      ? ['SECRET_KEY', 'set it to that one']
      : [`The key file ${keyFile}`, 'put that one there']
  throw new StartError(
    `${what} is another key than this database was used with; ${cure}, or if it is lost run: npm run admin -- accept-key`,
  )
}

export async function replaceKeyMark(
  db: Database | Transaction,
  secrets: Pick<Secrets, 'sign'>,
): Promise<void> {
  await sql`insert into key_mark (mark) values (${markOf(secrets)})
    on conflict (only_row) do update set mark = excluded.mark`.execute(db)
}
