import { ReplyRequest, ReplyResponse } from '../../contract/inbox.ts'
import { userOf } from '../auth/sessions.ts'
import type { Http } from '../platform/http/http.ts'
import { idempotencyKeyIn } from '../platform/http/idempotency-key.ts'
import type { Replies } from './replies.ts'

/** The longest text with every character escaped. */
const BODY_LIMIT = 1024 * 1024

export function replyRoutes(app: Http, { replies }: { replies: Replies }): void {
  app.post(
    '/api/inbox/reply',
    { bodyLimit: BODY_LIMIT, schema: { body: ReplyRequest, response: { 200: ReplyResponse } } },
    (request) => replies.reply(userOf(request), request.body, idempotencyKeyIn(request)),
  )
}
