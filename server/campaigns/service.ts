import { createHash, randomUUID } from 'node:crypto'
import { type SendEmailRequest, SendEmailResponse } from '../../contract/campaigns.ts'
import { SENT_BEFORE } from '../../contract/sent-before.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { DraftsService } from '../drafts/service.ts'
import { copyingTransaction } from '../platform/copying.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import { parseRecipients } from '../platform/recipient-entries.ts'
import { requireOneLine, requireStorable } from '../platform/text-safety.ts'
import type { SettingsService } from '../settings/service.ts'
import type { TemplatesService } from '../templates/service.ts'
import * as store from './store/accepting.ts'

export type Sender = { id: string; email: string }

/** A letter, and to whom; the list may be a stream of any length. */
type Sending = Omit<SendEmailRequest, 'recipients'> & {
  recipients: Iterable<string> | AsyncIterable<string>
  /** Then there is one recipient, who must not be on the user's suppression list. */
  answers?: store.Answering
  /** Commits together with the campaign, or not at all. */
  together?: (tx: Transaction, campaignId: string) => Promise<void>
}

/** The same key with the same request is the same campaign; after so many seconds, where it says so, a new one. */
export type Idempotency = { key: string; request: unknown; forSeconds?: number }

export type CampaignsService = {
  /**
   * Answers when the campaign and every recipient are stored for good, and the sending is certain to begin. The same
   * key with the same request gives the first answer again.
   */
  send(user: Sender, sending: Sending, idempotency: Idempotency | null): Promise<SendEmailResponse>
  /** As whom this user's mail leaves, and where answers to it go, when a sending says nothing of it. */
  from(user: Sender): Promise<{ name: string; address: string; replyTo: string }>
}

type Dependencies = {
  db: Database
  delivery: Pick<DeliveryService, 'accept' | 'accepted'>
  settings: Pick<SettingsService, 'sender'>
  templates: Pick<TemplatesService, 'countUse'>
  drafts: Pick<DraftsService, 'discard'>
  /** Whether mail to this address comes to the inbox of this user. */
  isInboxOf: (userId: string, address: string) => Promise<boolean>
  /** Whether this installation tracks openings at all. */
  tracksOpens: boolean
  publicUrl: URL
  /** The product's own address. */
  mailFrom: string
}

export function createCampaigns(dependencies: Dependencies): CampaignsService {
  const { db, delivery, settings, templates, drafts, isInboxOf, tracksOpens, publicUrl } = dependencies
  return {
    async send(user, sending, idempotency) {
      const { account, alwaysUnsubscribe, ...letter } = await letterOf(user, sending)
      const requestHash = idempotency ? hashOf(idempotency.request) : ''
      const answer = await copyingTransaction(db, user.id, async (tx, copyInto) => {
        if (idempotency) {
          const earlier = await store.takeKey(tx, user.id, { ...idempotency, requestHash })
          if (earlier) {
            const answer = sameAnswer(earlier, requestHash)
            // It may have been saved once more after it was sent.
            if (sending.draftId) await drafts.discard(tx, user.id, sending.draftId, sending.draftBasedOn)
            return answer
          }
        }
        const id = randomUUID()
        await store.insertCampaign(tx, { id, userId: user.id, linkOrigin: publicUrl.origin, ...letter })
        const run = { campaignId: id, userId: user.id, account }
        const { recipients } = sending
        const atMost = Array.isArray(recipients) ? recipients.length : undefined
        const intake = await delivery.accept(tx, copyInto, run, parseRecipients(recipients), atMost)
        if (sending.answers && intake.suppressed.length > 0) throw isSuppressed(intake.suppressed)
        await store.completeCampaign(tx, id, {
          recipients: intake.recipients,
          // A mail to one person is a letter or a receipt; to several it is a campaign, which anyone may leave.
          hasUnsubscribe: alwaysUnsubscribe || intake.recipients > 1,
        })
        if (sending.templateId) await templates.countUse(tx, user.id, sending.templateId)
        if (sending.draftId) await drafts.discard(tx, user.id, sending.draftId, sending.draftBasedOn)
        await sending.together?.(tx, id)
        const answer: SendEmailResponse = {
          id,
          recipients: intake.recipients,
          suppressed: intake.suppressed,
        }
        if (idempotency) await store.keepAnswer(tx, user.id, idempotency.key, answer)
        return answer
      })
      delivery.accepted(answer.recipients)
      return answer
    },

    async from(user) {
      const { fromName, fromEmail, fromAddress } = await settings.sender(user.id)
      return {
        name: fromName || nameOf(user),
        address: fromAddress ?? dependencies.mailFrom,
        replyTo: fromEmail || user.email,
      }
    },
  }

  /** What the payload leaves open comes from the settings, and what they leave open from the account itself. */
  async function letterOf(user: Sender, sending: Sending) {
    const { fromName, fromEmail, ...sender } = await settings.sender(user.id)
    const senderName = sending.senderName || fromName || nameOf(user)
    const replyTo = parseMailAddress(sending.replyTo || fromEmail || user.email)
    if (!replyTo)
      throw new AppError(
        400,
        'The reply-to address is not a valid e-mail address, for example name@example.com',
      )
    requireOneLine('The subject', sending.subject)
    requireOneLine('The sender name', senderName)
    requireStorable('The message', sending.body)
    return {
      ...sender,
      tracksOpens: tracksOpens && sender.tracksOpens,
      subject: sending.subject,
      body: sending.body,
      senderName,
      replyTo: replyTo.address,
      hasReplyToken: !replyTo.address.includes('+') && (await isInboxOf(user.id, replyTo.address)),
      answers: sending.answers ?? null,
    }
  }
}

const nameOf = ({ email }: Sender): string => email.slice(0, email.lastIndexOf('@'))

const isSuppressed = (addresses: readonly string[]): AppError =>
  new AppError(
    409,
    `${addresses.join(', ')} is on your suppression list, so nothing was sent. To write to them again, remove the address from the Suppression List in Settings`,
  )

const hashOf = (request: unknown): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('base64url')

function sameAnswer(
  earlier: { requestHash: string; answer: unknown },
  requestHash: string,
): SendEmailResponse {
  if (earlier.requestHash !== requestHash) throw new AppError(409, SENT_BEFORE)
  return SendEmailResponse.parse(earlier.answer)
}
