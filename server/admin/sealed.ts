import type { ProviderName } from '../../contract/settings.ts'
import type { Database } from '../platform/database.ts'
import { opens, type Secrets } from '../platform/secrets.ts'
import { findFormerKeys, openFormerKey } from '../platform/secrets-former-keys.ts'
import { createVault, type Vault } from '../settings/vault.ts'
import { PAGE, paged } from './lists.ts'

/** Something that a user entrusted to us, or a former key; its value is looked at only to see whether it opens. */
type SealedThing = {
  email: string
  provider: ProviderName | typeof NOBODYS
  fields: string
  opens: boolean
}

/** Where a line stands for the installation itself. */
const NOBODYS = '-'

/** Everything that is sealed in the database and stays, person by person; nothing opens without a key. */
export async function* sealedThings(db: Database, secrets: Secrets | null): AsyncGenerator<SealedThing> {
  const vault = secrets && createVault(secrets)
  for await (const { email, userId, account } of paged((after) => keepers(db, after))) {
    if (account.sealedPassword !== null || account.sealedApiKey !== null)
      yield {
        email,
        provider: account.provider,
        fields: fieldsOf(account),
        opens: vault !== null && opens(() => vault.open(userId, account)),
      }
    for (const { provider, sealedKey } of await webhookKeys(db, userId))
      yield {
        email,
        provider,
        fields: 'webhook key',
        opens: vault !== null && opens(() => vault.openWebhookKey(userId, provider, sealedKey)),
      }
  }
  for (const former of await findFormerKeys(db))
    yield {
      email: NOBODYS,
      provider: NOBODYS,
      fields: `former key of ${former.purpose}`,
      opens: secrets !== null && opens(() => openFormerKey(secrets, former)),
    }
}

type Account = Parameters<Vault['open']>[1]

/** As the screen calls them; SES keeps its two keys in the same columns. */
function fieldsOf({ provider, sealedPassword, sealedApiKey }: Account): string {
  const [password, apiKey] =
    provider === 'ses' ? ['secret access key', 'access key'] : ['password', 'API key']
  return [sealedApiKey === null ? [] : apiKey, sealedPassword === null ? [] : password].flat().join(', ')
}

async function keepers(db: Database, after: string) {
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('settings as s', 's.user_id', 'u.id')
    .select([
      'u.email_key as key',
      'u.email',
      'u.id as userId',
      's.provider',
      's.host',
      's.port',
      's.login',
      's.sealed_password as sealedPassword',
      's.sealed_api_key as sealedApiKey',
    ])
    .where('u.email_key', '>', after)
    .where((is) =>
      is.or([
        is('s.sealed_password', 'is not', null),
        is('s.sealed_api_key', 'is not', null),
        is.exists(is.selectFrom('webhook_keys as w').select('w.user_id').whereRef('w.user_id', '=', 'u.id')),
      ]),
    )
    .orderBy('u.email_key')
    .limit(PAGE)
    .execute()
  return rows.map(({ key, email, userId, provider, host, login, ...sealed }) => ({
    key,
    email,
    userId,
    // The table's own check lets no other provider in.
    account: {
      ...sealed,
      provider: (provider ?? 'resend') as ProviderName,
      host: host ?? '',
      login: login ?? '',
    },
  }))
}

async function webhookKeys(db: Database, userId: string) {
  const rows = await db
    .selectFrom('webhook_keys')
    .select(['provider', 'sealed_key as sealedKey'])
    .where('user_id', '=', userId)
    .orderBy('provider')
    .execute()
  return rows.map(({ provider, sealedKey }) => ({ provider: provider as ProviderName, sealedKey }))
}
