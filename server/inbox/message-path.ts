import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userOf } from '../auth/sessions.ts'
import type { MessageKey } from './store/messages.ts'

/** PostgreSQL would complain about anything else; this one nobody has. */
const Id = z.uuid().catch('00000000-0000-0000-0000-000000000000')

export const MessagePath = z.object({ inboxId: Id, messageId: Id })

/** A message, and whose it has to be. */
export const keyOf = (request: FastifyRequest, path: z.output<typeof MessagePath>): MessageKey => ({
  userId: userOf(request).id,
  inboxId: path.inboxId,
  messageId: path.messageId,
})
