import { DEFAULT_SMTP_PORT, type ProviderName } from '../../contract/settings.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { OwnAccount } from '../providers/own-account.ts'
import type { StoredSettings } from './store.ts'

/** Between an account as it is used and as it is stored: every secret sealed, bound to its user and its field. */
export type Vault = {
  /** The columns of an account; null is the product's own. */
  seal(userId: string, account: OwnAccount | null): SealedAccount
  /** Throws when a sealed value does not belong where it stands, was sealed under another key, or was dropped. */
  open(userId: string, stored: SealedAccount & { provider: ProviderName }): OwnAccount | null
  sealWebhookKey(userId: string, provider: ProviderName, key: string): string
  openWebhookKey(userId: string, provider: ProviderName, sealed: string): string
}

type SealedAccount = Pick<StoredSettings, 'host' | 'port' | 'login' | 'sealedPassword' | 'sealedApiKey'>

const EMPTY: SealedAccount = { host: '', port: null, login: '', sealedPassword: null, sealedApiKey: null }

export function createVault(secrets: Secrets): Vault {
  const place = (userId: string, provider: string, field: string) => `settings/${userId}/${provider}/${field}`

  return {
    seal(userId, account) {
      if (account === null) return EMPTY
      const { provider } = account
      const sealed = (field: string, plain: string) => secrets.seal(place(userId, provider, field), plain)
      switch (provider) {
        case 'smtp': {
          const { host, port, user, password } = account
          const sealedPassword = password === '' ? null : sealed('password', password)
          return { ...EMPTY, host, port, login: user, sealedPassword }
        }
        case 'ses':
          return {
            ...EMPTY,
            host: account.region,
            sealedApiKey: sealed('api-key', account.accessKeyId),
            sealedPassword: sealed('password', account.secretAccessKey),
          }
        default:
          return { ...EMPTY, sealedApiKey: sealed('api-key', account.apiKey) }
      }
    },

    open(userId, { provider, host, port, login, sealedPassword, sealedApiKey }) {
      function opened(field: string, sealed: string | null): string {
        if (sealed === null) throw new Error('the secret of this account was dropped with a lost key')
        return secrets.open(place(userId, provider, field), sealed)
      }
      switch (provider) {
        case 'resend':
          return null
        case 'smtp':
          return {
            provider,
            host,
            port: port ?? DEFAULT_SMTP_PORT,
            user: login,
            // A relay that asks for nobody's name asks for no password either.
            password: login === '' ? '' : opened('password', sealedPassword),
          }
        case 'ses':
          return {
            provider,
            region: host,
            accessKeyId: opened('api-key', sealedApiKey),
            secretAccessKey: opened('password', sealedPassword),
          }
        default:
          return { provider, apiKey: opened('api-key', sealedApiKey) }
      }
    },

    sealWebhookKey: (userId, provider, key) => secrets.seal(place(userId, provider, 'webhook-key'), key),
    openWebhookKey: (userId, provider, sealed) =>
      secrets.open(place(userId, provider, 'webhook-key'), sealed),
  }
}
