import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userOf } from '../auth/sessions.ts'
import { AnyId } from '../platform/ids.ts'
import type { MessageKey } from './store/messages.ts'

export const MessagePath = z.object({ inboxId: AnyId, messageId: AnyId })

/** A message, and whose it has to be. */
export const keyOf = (request: FastifyRequest, path: z.output<typeof MessagePath>): MessageKey => ({
  userId: userOf(request).id,
  inboxId: path.inboxId,
  messageId: path.messageId,
})
