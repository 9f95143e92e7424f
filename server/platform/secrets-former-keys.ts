import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from './database.ts'
import type { Log } from './log.ts'
import { createSecrets, opens, type Secrets, type SigningKey } from './secrets.ts'

/** A signing key of a master key that was replaced, as it is stored. */
type FormerKey = { id: string; purpose: string; sealedKey: string; replacedAt: Date }

/** The newest first: of what is still read in mails, most was signed by it. */
export const findFormerKeys = (db: Database | Transaction): Promise<FormerKey[]> =>
  db
    .selectFrom('former_token_keys')
    .select(['id', 'purpose', 'sealed_key as sealedKey', 'replaced_at as replacedAt'])
    .orderBy('replaced_at', 'desc')
    .orderBy('purpose')
    .execute()

/** Throws when it was sealed under another key, or for another row or purpose. */
export const openFormerKey = (
  secrets: Pick<Secrets, 'open'>,
  { id, purpose, sealedKey }: Omit<FormerKey, 'replacedAt'>,
): SigningKey => ({ purpose, key: Buffer.from(secrets.open(placeOf(id, purpose), sealedKey), 'base64url') })

const sealFormerKey = (
  secrets: Pick<Secrets, 'seal'>,
  id: string,
  { purpose, key }: SigningKey,
): { sealed_key: string } => ({ sealed_key: secrets.seal(placeOf(id, purpose), key.toString('base64url')) })

const placeOf = (id: string, purpose: string): string => `former-token-keys/${id}/${purpose}`

/** The secrets of this installation, which still know the signatures of the keys it had before. */
export async function loadSecrets(db: Database, masterKey: string, log: Log): Promise<Secrets> {
  const own = createSecrets(masterKey)
  const former: SigningKey[] = []
  for (const stored of await findFormerKeys(db))
    try {
      former.push(openFormerKey(own, stored))
    } catch {
      // As with credentials that do not open: whoever has lost the key still gets the rest to run.
      log.warn(
        { purpose: stored.purpose, replacedAt: stored.replacedAt },
        'a former key does not open, so links and return paths of the mails of its time are refused; see npm run admin -- secrets',
      )
    }
  return createSecrets(masterKey, former)
}

/** Of two who replace the key at the same time the second sees what the first did, and cannot open it. */
export const lockFormerKeys = (tx: Transaction): Promise<unknown> =>
  sql`lock table former_token_keys in exclusive mode`.execute(tx)

/** Those that were sealed under a key that is lost: nobody will ever know again what they had signed. */
export async function dropLostFormerKeys(tx: Transaction, secrets: Pick<Secrets, 'open'>): Promise<void> {
  for (const { id, ...stored } of await findFormerKeys(tx))
    if (!opens(() => openFormerKey(secrets, { id, ...stored })))
      await tx.deleteFrom('former_token_keys').where('id', '=', id).execute()
}

type Change = { from: Secrets; to: Secrets; retired: readonly SigningKey[] }

/** Seals those that are kept already under the new key, and keeps the retired ones beside them, each once. */
export async function keepFormerKeys(tx: Transaction, { from, to, retired }: Change): Promise<void> {
  await lockFormerKeys(tx)
  const kept: SigningKey[] = []
  for (const { id, ...stored } of await findFormerKeys(tx)) {
    const key = openFormerKey(from, { id, ...stored })
    kept.push(key)
    await tx
      .updateTable('former_token_keys')
      .set(sealFormerKey(to, id, key))
      .where('id', '=', id)
      .execute()
  }
  for (const key of retired) {
    if (kept.some((other) => other.purpose === key.purpose && other.key.equals(key.key))) continue
    const id = randomUUID()
    await tx
      .insertInto('former_token_keys')
      .values({ id, purpose: key.purpose, ...sealFormerKey(to, id, key) })
      .execute()
  }
}
