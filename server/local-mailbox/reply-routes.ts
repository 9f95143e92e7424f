import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { linkTo, VIEWS } from './page.ts'
import { beginReply, elsewhere, REPLY_TEXT_MAX, type ReplyState } from './reply-form.ts'
import { type ReplyMail, replyAddress, replyMail } from './reply-mail.ts'
import type { MailboxMessage } from './store.ts'

/** Where answers arrive; this mailbox itself only knows how to write them. */
export type ReplyReceiver = {
  /** Whether mail to this address comes to somebody here. */
  receives(address: string): Promise<boolean>
  /** As if a mail server had brought it. False where it is nobody's. */
  take(raw: Buffer, envelope: ReplyMail['envelope']): Promise<boolean>
}

/** Of the page that the form was on: the recipient whose mail is listed, and the view. */
export const Before = z.object({
  to: z
    .string()
    .trim()
    .max(320)
    .regex(/^\P{Cc}*$/u)
    .transform((text) => text || null)
    .nullish()
    .transform((text) => text ?? null),
  view: z.enum(VIEWS).catch('html'),
})
export type Before = z.infer<typeof Before>

type Needs = {
  receiver: ReplyReceiver
  find: (id: string) => Promise<MailboxMessage>
  /** The page with this mail, as the reader had it before. */
  show: (
    reply: FastifyReply,
    before: Before,
    message: MailboxMessage,
    state: ReplyState,
  ) => Promise<FastifyReply>
  now: () => Date
}

const FORM = 'application/x-www-form-urlencoded'
/** Some signs take nine characters in a form. */
const BODY_LIMIT = 9 * REPLY_TEXT_MAX + 1_000
const ReplyBody = z.strictObject({
  // A browser ends the lines of a form with two signs, and counts one.
  text: z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n'))
    .pipe(z.string().max(REPLY_TEXT_MAX)),
  replyId: z.uuid().optional(),
  begunAt: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .optional(),
})
const NOTHING_WRITTEN = 'Please write something before you send the reply'

/** Answers a mail as its recipient would, so that the whole circle can be tried without a mail server. */
export function mailboxReplyRoutes(mailbox: Http, { receiver, find, show, now }: Needs): void {
  mailbox.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  mailbox.post(
    '/local-mailbox/messages/:id/reply',
    {
      bodyLimit: BODY_LIMIT,
      config: { access: 'public' },
      schema: { params: z.object({ id: z.string() }), querystring: Before, body: ReplyBody },
    },
    async (request, reply) => {
      const message = await find(request.params.id)
      const { text, replyId, begunAt } = request.body
      const begun = replyId && begunAt ? { replyId, begunAt } : beginReply(now())
      const isForm = request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false
      if (text.trim() === '') {
        if (!isForm) throw new AppError(400, NOTHING_WRITTEN)
        return show(reply.code(400), request.query, message, {
          kind: 'write',
          text,
          problem: NOTHING_WRITTEN,
          begun,
        })
      }
      const { raw, envelope } = replyMail(message, text, begun)
      const isTaken = await receiver.take(raw, envelope)
      const { to, view } = request.query
      if (isForm && isTaken) return reply.redirect(linkTo(message.id, to, view, 'sent'), 303)
      if (isForm) return show(reply.code(409), request.query, message, { kind: 'leaves' })
      if (!isTaken) throw new AppError(409, elsewhere(envelope.to))
      return reply.send(envelope)
    },
  )
}

/** What a look at the page shows: the form only where an answer would arrive. */
export async function replyStateOf(
  asked: 'write' | 'sent' | undefined,
  message: MailboxMessage,
  { receiver, now }: Pick<Needs, 'receiver' | 'now'>,
): Promise<ReplyState | null> {
  if (asked === undefined) return null
  if (asked === 'sent') return { kind: 'sent' }
  const isHere = await receiver.receives(replyAddress(message))
  return isHere ? { kind: 'write', text: '', problem: null, begun: beginReply(now()) } : { kind: 'leaves' }
}
