import { isDeepStrictEqual } from 'node:util'
import {
  CHANGED_ELSEWHERE,
  DEFAULT_SES_REGION,
  DEFAULT_SMTP_PORT,
  type ProviderName,
  type ReplacedSender,
  type SaveSettingsRequest,
  type Settings,
  type VerifyProviderRequest,
  type VerifyProviderResponse,
} from '../../contract/settings.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { requireMailAddress } from '../platform/mail-address.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { opens, randomToken } from '../platform/secrets.ts'
import { requireOneLine } from '../platform/text-safety.ts'
import type { OwnAccount } from '../providers/own-account.ts'
import type { Provider } from '../providers/provider.ts'
import { type Sender, senderOf } from './accounts.ts'
import { accountOf, LABELS } from './credentials.ts'
import * as store from './store.ts'
import type { Vault } from './vault.ts'
import { requireWebhookKey } from './webhook-key.ts'

/** What a save takes the place of, as far as its sender knows. */
type Replaced = { provider?: ProviderName | undefined; sender?: ReplacedSender | undefined }

export type SettingsService = {
  read(userId: string): Promise<Settings>
  /** Under which name, from which address and by which account this user's mail leaves. */
  sender(userId: string): Promise<Sender>
  /** 409 where what is stored is neither what is `replaced` nor what is to be saved. */
  save(userId: string, request: SaveSettingsRequest, replaced?: Replaced): Promise<void>
  /** A real question to the provider, and no mail. */
  verify(userId: string, request: VerifyProviderRequest): Promise<VerifyProviderResponse>
  /**
   * Who is meant by the token in a webhook's address, and what proves that a report comes from their account; null where
   * there is nobody, or no key was stored. 503 where the key cannot be opened: once it is typed again, what the provider
   * brings again is taken.
   */
  webhookOwner(provider: ProviderName, token: string): Promise<{ userId: string; key: string } | null>
}

type Dependencies = {
  db: Database
  vault: Vault
  publicUrl: URL
  limiter: Pick<RateLimiter, 'take'>
  mailFrom: string
  productProvider: Pick<Provider, 'verify'>
  createProvider: (account: OwnAccount) => Provider
  isAllowedPrivate: (host: string, port: number) => boolean
  /** The account serves, or fails, in another way from now on. */
  accountChanged: (tx: Transaction, userId: string) => Promise<void>
  log: Log
}

const VERIFY_MS = 10_000
/** Enough for anyone who is looking for a typing error, too few to try ports or passwords of others by it. */
const VERIFY_LIMIT = { burst: 15, refillSeconds: 20 }
const PRODUCT_AWAY =
  "This installation's own account cannot send at the moment. Please try again later, or tell whoever runs it"
const KEY_UNOPENED =
  'The signing key for this address cannot be read; once its owner has entered it again under Settings, please try again'
/** What belongs to one provider, and means nothing where none is named. */
const CREDENTIALS = ['smtpHost', 'smtpPort', 'smtpUser', 'smtpPassword', 'apiKey'] as const
/** Those that report what became of a mail to an address of the user's own. */
const REPORTING: ReadonlySet<ProviderName> = new Set(['sendgrid', 'mailgun', 'ses'])

export function createSettings(needs: Dependencies): SettingsService {
  const { db, vault, publicUrl, limiter, mailFrom, isAllowedPrivate, log } = needs
  /** Webhook keys that do not open. A provider comes again for days, and the log tells of each key once. */
  const unopened = new Set<string>()

  /** Null also where what is stored cannot be opened any more: then it has to be typed again. */
  function openStored(userId: string, stored: store.StoredSettings): OwnAccount | null {
    try {
      return vault.open(userId, stored)
    } catch {
      return null
    }
  }

  const urlOf = (path: string, { provider, webhookToken }: store.StoredSettings): string | null =>
    webhookToken && REPORTING.has(provider)
      ? new URL(`${path}/${provider}/${webhookToken}`, publicUrl).href
      : null

  /** Mailgun brings a mail as it came only to an address that ends so. */
  function inboundUrlOf(stored: store.StoredSettings): string | null {
    const url = urlOf('/api/inbound', stored)
    return url !== null && stored.provider === 'mailgun' ? `${url}/mime` : url
  }

  async function askProvider(account: OwnAccount | null, from: string): Promise<VerifyProviderResponse> {
    const provider = account ? needs.createProvider(account) : null
    try {
      const verdict = await (provider ?? needs.productProvider).verify(from, AbortSignal.timeout(VERIFY_MS))
      // How the operator's own account is reached is nobody else's business.
      if (!verdict.isGood) return { success: false, error: provider ? verdict.error : PRODUCT_AWAY }
      return { success: true, ...(verdict.note === null ? {} : { note: verdict.note }) }
    } finally {
      await provider?.close()
    }
  }

  return {
    async read(userId) {
      const stored = await store.findSettings(db, userId)
      const { provider, host, port, login, fromName, fromEmail, sendFromOwnAddress } = stored
      const webhookKey = await store.findWebhookKey(db, userId, provider)
      // What does not open, as after the loss of the master key, has to be typed again: it is as good as not there.
      const isOpened = openStored(userId, stored) !== null
      return {
        provider,
        smtpHost: provider === 'ses' ? host || DEFAULT_SES_REGION : host,
        smtpPort: port ?? DEFAULT_SMTP_PORT,
        smtpUser: login,
        hasSmtpPassword: isOpened && stored.sealedPassword !== null,
        hasApiKey: isOpened && stored.sealedApiKey !== null,
        fromName,
        fromEmail,
        sendFromOwnAddress,
        webhookUrl: urlOf('/api/webhooks', stored),
        inboundUrl: inboundUrlOf(stored),
        hasWebhookSigningKey:
          webhookKey !== null && opens(() => vault.openWebhookKey(userId, provider, webhookKey)),
        trackOpens: stored.tracksOpens,
        alwaysUnsubscribe: stored.alwaysUnsubscribe,
      }
    },

    sender: async (userId) => senderOf(userId, await store.findSettings(db, userId)),

    async save(userId, request, replaced = {}) {
      const { fromName, webhookSigningKey = '' } = request
      if (request.provider === undefined && CREDENTIALS.some((field) => request[field] !== undefined))
        throw new AppError(400, 'Please name the provider that these credentials are for')
      requireOneLine('The sender name', fromName)
      const fromEmail = request.fromEmail === '' ? '' : requireMailAddress(request.fromEmail).address
      // Whoever saves at the same moment waits, and then starts from what this one has saved.
      await store.changeSettings(db, userId, async (tx, stored) => {
        const provider = request.provider ?? stored.provider
        requireKnown(stored.provider, [provider, replaced.provider ?? stored.provider])
        requireKnownSender(stored, { ...request, fromEmail }, replaced.sender ?? stored)
        const before = openStored(userId, stored)
        const account =
          request.provider === undefined ? before : accountOf(provider, request, before, { isAllowedPrivate })
        // The same account keeps its seals: whatever its provider asked us to wait for still holds.
        const isSame = provider === stored.provider && isDeepStrictEqual(account, before)
        const sendFromOwnAddress =
          provider !== 'resend' && (request.sendFromOwnAddress ?? stored.sendFromOwnAddress)
        if (sendFromOwnAddress && fromEmail === '')
          throw new AppError(400, 'To send from your own address, please enter it as the reply-to email')
        if (webhookSigningKey !== '') {
          requireWebhookKey(provider, webhookSigningKey)
          const sealed = vault.sealWebhookKey(userId, provider, webhookSigningKey)
          await store.saveWebhookKey(tx, userId, provider, sealed)
        }
        if (!isSame) await needs.accountChanged(tx, userId)
        return {
          ...stored,
          ...(isSame ? {} : vault.seal(userId, account)),
          provider,
          fromName,
          fromEmail,
          sendFromOwnAddress,
          tracksOpens: request.trackOpens ?? stored.tracksOpens,
          alwaysUnsubscribe: request.alwaysUnsubscribe ?? stored.alwaysUnsubscribe,
          webhookToken: stored.webhookToken ?? (REPORTING.has(provider) ? randomToken() : null),
        }
      })
    },

    async verify(userId, request) {
      if (request.fromEmail === '')
        throw new AppError(400, 'Please enter a reply-to email address to test credentials')
      const { address } = requireMailAddress(request.fromEmail)
      requireOneLine('The sender name', request.fromName)
      const stored = openStored(userId, await store.findSettings(db, userId))
      const account = accountOf(request.provider, request, stored, { isAllowedPrivate })
      await limiter.take(`verify-provider ${userId}`, VERIFY_LIMIT)
      return askProvider(account, account && request.sendFromOwnAddress ? address : mailFrom)
    },

    async webhookOwner(provider, token) {
      const userId = await store.findUserByToken(db, token)
      const sealed = userId && (await store.findWebhookKey(db, userId, provider))
      if (!userId || !sealed) return null
      try {
        return { userId, key: vault.openWebhookKey(userId, provider, sealed) }
      } catch (cause) {
        if (!unopened.has(sealed))
          log.warn({ err: cause, provider }, 'the webhook signing key of a user cannot be opened')
        unopened.add(sealed)
        throw new AppError(503, KEY_UNOPENED, { cause })
      }
    },
  }
}

/** An account that somebody has set up elsewhere meanwhile is not lost to a form that does not show it. */
function requireKnown(stored: ProviderName, known: readonly ProviderName[]): void {
  if (known.includes(stored)) return
  throw new AppError(409, `Your email provider is ${LABELS[stored]} by now, ${CHANGED_ELSEWHERE}`)
}

const SENDER = ['fromName', 'fromEmail', 'sendFromOwnAddress'] as const

/** Nor is a name or an address set back to what it was before. */
function requireKnownSender(
  stored: ReplacedSender,
  request: Pick<SaveSettingsRequest, (typeof SENDER)[number]>,
  replaced: ReplacedSender,
): void {
  if (SENDER.every((field) => [replaced[field], request[field] ?? stored[field]].includes(stored[field])))
    return
  throw new AppError(409, `Your sender information was changed meanwhile and is ${CHANGED_ELSEWHERE}`)
}
