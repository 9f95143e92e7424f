import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { MissedReason } from '../../contract/inbox.ts'
import type { Intake } from '../inbound/intake.ts'
import type { Recipient } from '../inbound/recipients.ts'
import type { Database } from '../platform/database.ts'
import type { Received } from '../platform/http/signed-calls.ts'
import type { Log } from '../platform/log.ts'
import type { MemoryShare } from '../platform/memory-budget.ts'
import type { WebhookCall } from '../providers/events.ts'
import { readMailgunInbound } from '../providers/mailgun-inbound.ts'
import type { InboundReading, ReceivedMail } from '../providers/received.ts'
import { readSendgridInbound } from '../providers/sendgrid-inbound.ts'
import { readSesInbound } from '../providers/ses-inbound.ts'
import type { SnsOptions } from '../providers/sns-messages.ts'
import { type CalledAccount, calledAccount } from '../settings/called-account.ts'
import type { SettingsService } from '../settings/service.ts'
import type { InboxService } from './service.ts'
import { claimToken, forgetTokens } from './store/proofs.ts'
import type { InboxTarget } from './target.ts'

export const ReceivingProvider = z.enum(['resend', 'sendgrid', 'mailgun', 'ses'])
export type ReceivingProvider = z.infer<typeof ReceivingProvider>

/** As many as a mail by SMTP may have. Where the recipients come from its headers, anyone can write more. */
const ASKED_AT_ONCE = 100

type InboundAccount = CalledAccount<ReceivingProvider>

export type InboundWebhooks = {
  /** Null when the address is nobody's, or nothing could prove a call to it. Asked before a byte is read. */
  accountOf(provider: ReceivingProvider, token: string): Promise<InboundAccount | null>
  /** Answers once the mail is stored for good; nothing of a forged call has any effect. */
  receive(account: InboundAccount, call: WebhookCall, memory: MemoryShare): Promise<Received>
  forgetOldTokens(): Promise<void>
}

type Dependencies = {
  db: Database
  settings: Pick<SettingsService, 'webhookOwner'>
  inbox: Pick<
    InboxService,
    'targetOf' | 'ofUser' | 'take' | 'noteMissed' | 'noteUnfetched' | 'withdrawUnfetched'
  >
  intake: Intake
  /** The product's own account at Resend; null where the operator has none, or has set no secret. */
  product: { secret: string; read(call: WebhookCall, secret: string): InboundReading } | null
  fetchCertificate: SnsOptions['fetchCertificate']
  /** Tells Amazon SNS that we want its messages; false when that did not work. */
  confirmSubscription: (url: URL) => Promise<boolean>
  log: Log
}

export function createInboundWebhooks(needs: Dependencies): InboundWebhooks {
  const { db, settings, inbox, intake, product, log } = needs

  async function read({ provider, key }: InboundAccount, call: WebhookCall): Promise<InboundReading> {
    switch (provider) {
      case 'resend':
        return product ? product.read(call, key) : { kind: 'forged', why: 'there is no such account' }
      case 'sendgrid':
        return readSendgridInbound(call, key)
      case 'mailgun':
        return readMailgunInbound(call, key)
      case 'ses':
        return readSesInbound(call, { expectedTopic: key, fetchCertificate: needs.fetchCertificate })
    }
  }

  /** The domain is the product's own: the recipients decide, as they do for mail by SMTP. */
  async function takeForAnybody(mail: ReceivedMail, memory: MemoryShare): Promise<void> {
    const asked = await ofAll(mail.to, (address) => intake.recipientOf(address, 'webhook'))
    const recipients = asked.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
    const refused = asked.find((one) => one.status === 'rejected')
    if (recipients.length > 0) await takeForThese(recipients, mail, memory)
    else if (!refused) log.info('a received mail is for nobody here')
    // It is brought again for those who could not take it now; the others have it by then, and get no second one.
    if (refused) throw refused.reason
  }

  async function takeForThese(
    recipients: readonly Recipient[],
    mail: ReceivedMail,
    memory: MemoryShare,
  ): Promise<void> {
    const inboxIds = recipients.flatMap((to) => (to.kind === 'inbox' ? to.target.inboxId : []))
    const raw = await fetched(mail, inboxIds, memory)
    try {
      if (raw) await intake.take({ raw, from: mail.from, recipients })
      else for (const inboxId of inboxIds) await inbox.noteMissed(inboxId, 'too-large')
    } finally {
      // Also where one inbox has no room for it, whose owner is told that: the others have it.
      if (mail.keptAs !== null) await inbox.withdrawUnfetched(inboxIds, mail.keptAs)
    }
  }

  /** It is told of again for about a day. Should it never be had, the owners know that there was one. */
  async function fetched(
    mail: ReceivedMail,
    inboxIds: readonly string[],
    memory: MemoryShare,
  ): Promise<Buffer | null> {
    try {
      return await mail.source(memory)
    } catch (error) {
      if (mail.keptAs !== null) await inbox.noteUnfetched(inboxIds, mail.keptAs)
      throw error
    }
  }

  /**
   * The domain is the user's, and so is every name at it: all goes to the user's inbox, and never to anybody else's. An
   * address of that inbox may tell which mail is answered.
   */
  async function takeFor(userId: string, mail: ReceivedMail, memory: MemoryShare): Promise<boolean> {
    const raw = await mail.source(memory)
    if (raw === null) {
      await noteMissed(userId, 'too-large')
      return true
    }
    if (mail.proof !== null) {
      const [token, whole] = [await hash(userId, mail.proof.token), await hash(...mail.to, raw)]
      if (!(await claimToken(db, token, whole))) return false
    }
    const { address, target } = await ownTarget(userId, mail.to)
    await inbox.take(raw, { from: mail.from, to: address }, target)
    return true
  }

  async function noteMissed(userId: string, reason: MissedReason): Promise<void> {
    const { inboxId } = await inbox.ofUser(userId)
    await inbox.noteMissed(inboxId, reason)
  }

  async function ownTarget(
    userId: string,
    addresses: readonly string[],
  ): Promise<{ address: string; target: InboxTarget }> {
    const own: { address: string; target: InboxTarget }[] = []
    for (const one of await ofAll(addresses, async (address) => ({
      address,
      target: await inbox.targetOf(address),
    }))) {
      if (one.status === 'rejected') throw one.reason
      const { address, target } = one.value
      if (target?.userId === userId) own.push({ address, target })
    }
    const best = own.find(({ target }) => target.delivery !== null) ?? own[0]
    if (best) return best
    const { inboxId, address } = await inbox.ofUser(userId)
    return { address: addresses[0] ?? address, target: { inboxId, userId, delivery: null } }
  }

  return {
    accountOf: (provider, token) =>
      calledAccount(provider, token, { settings, productKey: product?.secret ?? null }),

    async receive(account, call, memory) {
      const { provider, userId } = account
      const reading = await read(account, call)
      switch (reading.kind) {
        case 'forged':
          log.info({ provider, why: reading.why }, 'a call to an address for received mail was refused')
          return 'forged'
        case 'untimely':
          log.warn({ provider }, reading.why)
          return 'untimely'
        case 'confirmation':
          return (await needs.confirmSubscription(reading.url)) ? 'stored' : 'not-confirmed'
        case 'nothing':
          if (reading.why !== null) log.warn({ provider }, reading.why)
          return 'stored'
        case 'not-brought':
          log.warn({ provider }, reading.why)
          if (userId !== null) await noteMissed(userId, 'not-brought')
          return 'stored'
        case 'mail':
          if (userId !== null) return (await takeFor(userId, reading.mail, memory)) ? 'stored' : 'forged'
          await takeForAnybody(reading.mail, memory)
          return 'stored'
      }
    },

    forgetOldTokens: () => forgetTokens(db),
  }
}

/** What becomes of each, in rounds: nobody is left out, and nobody else has to wait for all of them. */
async function ofAll<T>(
  addresses: readonly string[],
  ask: (address: string) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const each = [...new Set(addresses)]
  const asked: PromiseSettledResult<T>[] = []
  for (let from = 0; from < each.length; from += ASKED_AT_ONCE)
    asked.push(...(await Promise.allSettled(each.slice(from, from + ASKED_AT_ONCE).map(ask))))
  return asked
}

/** Hashed at a stretch; nobody else waits longer than some milliseconds. */
const STRETCH = 4_000_000

/** Of parts that cannot run into each other. */
async function hash(...parts: readonly (string | Buffer)[]): Promise<Buffer> {
  const sum = createHash('sha256')
  for (const part of parts) {
    const bytes = Buffer.isBuffer(part) ? part : Buffer.from(part)
    sum.update(`${bytes.length}:`)
    for (let from = 0; from < bytes.length; from += STRETCH) {
      if (from > 0) await setImmediate()
      sum.update(bytes.subarray(from, from + STRETCH))
    }
  }
  return sum.digest()
}
