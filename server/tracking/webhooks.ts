import { z } from 'zod'
import type { Received } from '../platform/http/signed-calls.ts'
import type { Log } from '../platform/log.ts'
import type { ProviderEvent, WebhookCall, WebhookReading } from '../providers/events.ts'
import { readMailgunEvents } from '../providers/mailgun-events.ts'
import { readResendEvents } from '../providers/resend-events.ts'
import { readSendgridEvents } from '../providers/sendgrid-events.ts'
import { readSesEvents } from '../providers/ses-events.ts'
import { ownAccountName, PRODUCT_ACCOUNT } from '../settings/accounts.ts'
import { type CalledAccount, calledAccount } from '../settings/called-account.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Ingestion } from './ingestion.ts'

export const ReportingProvider = z.enum(['resend', 'sendgrid', 'mailgun', 'ses'])
export type ReportingProvider = z.infer<typeof ReportingProvider>

type ReportingAccount = CalledAccount<ReportingProvider>

export type Webhooks = {
  /** Null when the address is nobody's, or nothing could prove a call to it. Asked before a byte is read. */
  accountOf(provider: ReportingProvider, token: string): Promise<ReportingAccount | null>
  /** Reads a provider's call; nothing of a forged one has any effect. */
  receive(account: ReportingAccount, call: WebhookCall): Promise<Received>
}

type Dependencies = {
  settings: Pick<SettingsService, 'webhookOwner'>
  ingestion: Ingestion
  /** Of the product's own account; null where the operator has set none. */
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
    accountOf: (provider, token) =>
      calledAccount(provider, token, { settings: needs.settings, productKey: needs.productSecret }),

    async receive(account, call) {
      const reading = await read(account, call)
      if (reading.kind === 'forged') return 'forged'
      if (reading.kind === 'untimely') {
        needs.log.warn({ provider: account.provider }, reading.why)
        return 'untimely'
      }
      if (reading.kind === 'confirmation')
        return (await needs.confirmSubscription(reading.url)) ? 'stored' : 'not-confirmed'
      const name = account.userId === null ? PRODUCT_ACCOUNT : ownAccountName(account.userId)
      await needs.ingestion.record(name, reading.events.filter(isBelievable(call.now)))
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
