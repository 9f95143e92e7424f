import { z } from 'zod'
import type { Log } from '../platform/log.ts'
import type { ProviderEvent, WebhookCall, WebhookReading } from '../providers/events.ts'
import { readMailgunEvents } from '../providers/mailgun-events.ts'
import { readResendEvents } from '../providers/resend-events.ts'
import { readSendgridEvents } from '../providers/sendgrid-events.ts'
import { readSesEvents } from '../providers/ses-events.ts'
import { ownAccountName, PRODUCT_ACCOUNT } from '../settings/accounts.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Ingestion } from './ingestion.ts'

export const ReportingProvider = z.enum(['resend', 'sendgrid', 'mailgun', 'ses'])
export type ReportingProvider = z.infer<typeof ReportingProvider>

/** The product's own account has one address, and its key comes from the environment. */
const PRODUCT_TOKEN = 'product'

/** As `randomToken` makes them. */
const TOKEN = /^[\w-]{43}$/

type Reported = 'stored' | 'forged' | 'untimely' | 'not-confirmed'

/** Whose address was called, and what proves a call to it. */
type ReportingAccount = { provider: ReportingProvider; name: string; key: string }

export type Webhooks = {
  /** Null when the address is nobody's, or nothing could prove a call to it. Asked before a byte is read. */
  accountOf(provider: ReportingProvider, token: string): Promise<ReportingAccount | null>
  /** Reads a provider's call; nothing of a forged one has any effect. */
  receive(account: ReportingAccount, call: WebhookCall): Promise<Reported>
}

type Dependencies = {
  settings: Pick<SettingsService, 'webhookOwner'>
  ingestion: Ingestion
  /** Null where the operator has set none: then every report of the product's own account is refused. */
  productSecret: string | null
  fetchCertificate: (url: URL) => Promise<string>
  /** Tells Amazon SNS that we want its messages; false when that did not work. */
  confirmSubscription: (url: URL) => Promise<boolean>
  log: Log
}

export function createWebhooks(needs: Dependencies): Webhooks {
  async function read({ provider, key }: ReportingAccount, call: WebhookCall): Promise<WebhookReading> {
    switch (provider) {
      case 'resend':
        return readResendEvents(call, key)
      case 'sendgrid':
        return readSendgridEvents(call, key)
      case 'mailgun':
        return readMailgunEvents(call, key)
      case 'ses':
        return readSesEvents(call, { expectedTopic: key, fetchCertificate: needs.fetchCertificate })
    }
  }

  return {
    async accountOf(provider, token) {
      if (provider === 'resend')
        return token === PRODUCT_TOKEN && needs.productSecret
          ? { provider, name: PRODUCT_ACCOUNT, key: needs.productSecret }
          : null
      if (!TOKEN.test(token)) return null
      const owner = await needs.settings.webhookOwner(provider, token)
      return owner && { provider, name: ownAccountName(owner.userId), key: owner.key }
    },

    async receive(account, call) {
      const reading = await read(account, call)
      if (reading.kind === 'forged') return 'forged'
      if (reading.kind === 'untimely') {
        needs.log.warn({ provider: account.provider }, reading.why)
        return 'untimely'
      }
      if (reading.kind === 'confirmation')
        return (await needs.confirmSubscription(reading.url)) ? 'stored' : 'not-confirmed'
      await needs.ingestion.record(account.name, reading.events.filter(isBelievable(call.now)))
      return 'stored'
    },
  }
}

/** An event cannot lie in the future; a clock may be a little fast, though. */
const FUTURE_MS = 24 * 3_600_000
const isBelievable =
  (now: Date) =>
  ({ at }: ProviderEvent): boolean =>
    at.getTime() <= now.getTime() + FUTURE_MS
