import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { OwnAccount } from '../providers/own-account.ts'
import type { Provider } from '../providers/provider.ts'
import { findSettings, type StoredSettings } from './store.ts'
import type { Vault } from './vault.ts'

/** Everybody sends by the product's own account until they plug in one of their own. */
export const PRODUCT_ACCOUNT = 'product'
const OWN = 'user/'
export const ownAccountName = (userId: string): string => `${OWN}${userId}`

export type Sender = {
  fromName: string
  fromEmail: string
  /** Whose provider account carries the mail. */
  account: string
  /** Null: the product's own. */
  fromAddress: string | null
  tracksOpens: boolean
  alwaysUnsubscribe: boolean
}

export const senderOf = (userId: string, settings: StoredSettings): Sender => ({
  fromName: settings.fromName,
  fromEmail: settings.fromEmail,
  account: settings.provider === 'resend' ? PRODUCT_ACCOUNT : ownAccountName(userId),
  fromAddress: settings.sendFromOwnAddress ? settings.fromEmail : null,
  tracksOpens: settings.tracksOpens,
  alwaysUnsubscribe: settings.alwaysUnsubscribe,
})

/** Why nothing can be sent by an account; people see it beside the campaigns that wait for it. */
type Unusable = { outage: string }

type Accounts = {
  /**
   * The provider behind an account, by today's settings: whoever mends a key mends the campaigns that wait for it. The
   * same object as long as nothing changes.
   */
  providerOf(account: string): Promise<Provider | Unusable>
  /** Nobody sends by this one any more. */
  letGo(provider: Provider): Promise<void>
}

type Dependencies = {
  db: Database
  vault: Vault
  productProvider: Provider
  createProvider: (account: OwnAccount) => Provider
  log: Log
}

/**
 * What was to leave by a user's own account does not leave by the product's: that one would take any sender for granted,
 * knows nothing of the calls of the other, and reports to another address.
 */
const REMOVED =
  'This campaign was begun by a provider account that you have removed since. Enter it again under Settings, or cancel the campaign'

export function createAccounts({ db, vault, productProvider, createProvider, log }: Dependencies): Accounts {
  const known = new Map<string, { version: string; provider: Provider }>()

  /** What makes a difference to the provider; sealed values differ whenever they were saved anew. */
  const versionOf = ({ provider, host, port, login, sealedPassword, sealedApiKey }: StoredSettings): string =>
    JSON.stringify([provider, host, port, login, sealedPassword, sealedApiKey])

  function make(userId: string, stored: StoredSettings): Provider | Unusable {
    try {
      const account = vault.open(userId, stored)
      return account ? createProvider(account) : { outage: REMOVED }
    } catch (error) {
      log.warn({ err: error }, 'the provider account of a user cannot be used')
      return { outage: 'The stored credentials cannot be read. Please enter them again under Settings' }
    }
  }

  return {
    async providerOf(account) {
      if (!account.startsWith(OWN)) return productProvider
      const userId = account.slice(OWN.length)
      const stored = await findSettings(db, userId)
      const version = versionOf(stored)
      const current = known.get(account)
      if (current?.version === version) return current.provider
      const provider = make(userId, stored)
      if ('outage' in provider) known.delete(account)
      else known.set(account, { version, provider })
      return provider
    },

    async letGo(provider) {
      for (const [account, current] of known) if (current.provider === provider) known.delete(account)
      if (provider !== productProvider) await provider.close()
    },
  }
}
