import { createHash } from 'node:crypto'
import { BODY_MAX } from '../../contract/campaigns.ts'
import type { ReplyRequest, ReplyResponse } from '../../contract/inbox.ts'
import type { CampaignsService, Idempotency, Sender } from '../campaigns/service.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import { replySubject, threadingOf, withQuote } from '../platform/reply-text.ts'
import type { InboxService, MessageToAnswer } from './service.ts'

/** Answers to received messages: each is a campaign to one person, and is sent by the same engine. */
export type Replies = {
  /** The same words to the same message twice are one reply: under the same key, or without one for a minute. */
  reply(user: Sender, request: ReplyRequest, key: string | null): Promise<ReplyResponse>
}

type Dependencies = {
  inbox: Pick<InboxService, 'toAnswer' | 'replyToOf'>
  campaigns: Pick<CampaignsService, 'send'>
}

/** Longer than anybody takes to press a button twice, shorter than anybody takes to mean it. */
const SAME_REPLY_SECONDS = 60

export function createReplies({ inbox, campaigns }: Dependencies): Replies {
  async function find(userId: string, { inboxId, messageId }: ReplyRequest): Promise<MessageToAnswer> {
    const message = isId(inboxId) && isId(messageId) ? await inbox.toAnswer(userId, inboxId, messageId) : null
    if (!message) throw notFound('message')
    return message
  }

  return {
    async reply(user, request, key) {
      if (request.text.trim() === '')
        throw new AppError(400, 'Please write something before you send the reply')
      const message = await find(user.id, request)
      const recipient = parseMailAddress(message.answersTo)
      if (!recipient)
        throw new AppError(
          409,
          'There is nobody to answer: this message names no address that a reply could go to',
        )
      const replyTo = await inbox.replyToOf(user.id)
      const sent = campaigns.send(
        user,
        {
          recipients: [recipient.address],
          subject: replySubject(message.subject),
          body: bodyOf(request.text, message),
          ...(replyTo === null ? {} : { replyTo }),
          answers: {
            messageId: message.id,
            conversationId: message.conversationId,
            ...threadingOf(message.messageId, message.answeredIds),
          },
        },
        key === null ? sameWords(request) : { key, request },
      )
      const { id } = await sent.catch((error: unknown) => {
        throw isUnanswerable(error) ? deletedMeanwhile() : error
      })
      return { id }
    },
  }
}

/** The row of the message, which the reply names, was deleted between reading it and storing the reply. */
const isUnanswerable = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '23503' &&
  'constraint' in error &&
  error.constraint === 'campaigns_answers_message_id_fkey'

const deletedMeanwhile = (): AppError =>
  new AppError(409, 'This message has just been deleted, so your reply was not sent')

function bodyOf(text: string, { from, writtenAt, text: original }: MessageToAnswer): string {
  return withQuote(text, { author: from, writtenAt, text: original ?? '' }, BODY_MAX)
}

/** Nobody else can give this key: theirs hold no space. */
function sameWords(request: ReplyRequest): Idempotency {
  const words = createHash('sha256').update(request.text.trim()).digest('base64url')
  return { key: `reply ${request.messageId} ${words}`, request: words, forSeconds: SAME_REPLY_SECONDS }
}
