import { z } from 'zod'
import { Message } from '../../contract/auth.ts'
import {
  ChangeAddressRequest,
  ChangeMessageRequest,
  InboxAddress,
  InboxItem,
  InboxMessage,
  InboxQuery,
  InboxSummary,
  NEXT_CURSOR_HEADER,
} from '../../contract/inbox.ts'
import { userOf } from '../auth/sessions.ts'
import type { Http } from '../platform/http/http.ts'
import type { InboxAddresses } from './addresses.ts'
import type { Mailbox } from './mailbox.ts'
import { keyOf, MessagePath } from './message-path.ts'

type Dependencies = { mailbox: Mailbox; addresses: Pick<InboxAddresses, 'show' | 'rename'> }

export function inboxRoutes(app: Http, { mailbox, addresses }: Dependencies): void {
  app.get(
    '/api/inbox/list',
    { schema: { querystring: InboxQuery, response: { 200: z.array(InboxItem) } } },
    async (request, reply) => {
      const { items, nextCursor } = await mailbox.list(userOf(request).id, request.query)
      if (nextCursor !== null) reply.header(NEXT_CURSOR_HEADER, nextCursor)
      return items
    },
  )

  app.get('/api/inbox/summary', { schema: { response: { 200: InboxSummary } } }, (request) =>
    mailbox.summary(userOf(request).id),
  )

  app.get('/api/inbox/address', { schema: { response: { 200: InboxAddress } } }, (request) =>
    addresses.show(userOf(request).id),
  )

  app.put(
    '/api/inbox/address',
    { schema: { body: ChangeAddressRequest, response: { 200: InboxAddress } } },
    (request) => addresses.rename(userOf(request).id, request.body.name),
  )

  app.get(
    '/api/inbox/message/:inboxId/:messageId',
    { schema: { params: MessagePath, response: { 200: InboxMessage } } },
    (request) => mailbox.open(keyOf(request, request.params)),
  )

  app.patch(
    '/api/inbox/message/:inboxId/:messageId',
    { schema: { params: MessagePath, body: ChangeMessageRequest, response: { 200: InboxItem } } },
    (request) => mailbox.change(keyOf(request, request.params), request.body),
  )

  app.delete(
    '/api/inbox/message/:inboxId/:messageId',
    { schema: { params: MessagePath, response: { 200: Message } } },
    async (request) => {
      await mailbox.remove(keyOf(request, request.params))
      return { message: 'The message has been deleted.' }
    },
  )
}
