import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Http } from '../platform/http/http.ts'
import type { MemoryBudget } from '../platform/memory-budget.ts'
import { createFileFetches } from './file-fetches.ts'
import { attachmentNamed, FILE_POLICY, typeOf } from './files.ts'
import { framePage, framePolicy } from './frame.ts'
import type { Mailbox } from './mailbox.ts'
import { keyOf, MessagePath } from './message-path.ts'

const FrameQuery = z.strictObject({
  images: z.stringbool().default(false),
  theme: z.enum(['light', 'dark']).default('light'),
})
const SourceQuery = z.strictObject({ download: z.string().optional() })
const FilePath = MessagePath.extend({ index: z.coerce.number().int().min(0).max(10_000).catch(-1) })

type Dependencies = {
  mailbox: Pick<Mailbox, 'html' | 'source' | 'attachment'>
  /** For the files that are being fetched, all together. */
  memory?: MemoryBudget
}

/** What strangers wrote, as they wrote it: every answer says itself that nothing in it may run. */
export function contentRoutes(app: Http, { mailbox, memory }: Dependencies): void {
  const fetches = createFileFetches(memory)

  app.get(
    '/api/inbox/message/:inboxId/:messageId/html',
    { schema: { params: MessagePath, querystring: FrameQuery } },
    async (request, reply) => {
      const html = await mailbox.html(keyOf(request, request.params))
      return reply
        .header('content-security-policy', framePolicy(request.query))
        .header('x-frame-options', 'SAMEORIGIN')
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(framePage(html ?? '', request.query))
    },
  )

  app.get(
    '/api/inbox/message/:inboxId/:messageId/source',
    { schema: { params: MessagePath, querystring: SourceQuery } },
    async (request, reply) => {
      const source = await mailbox.source(keyOf(request, request.params))
      if (request.query.download !== undefined)
        reply.header('content-disposition', attachmentNamed('message.eml'))
      return reply
        .header('content-security-policy', FILE_POLICY)
        .type('text/plain; charset=utf-8')
        .send(Readable.from(source))
    },
  )

  app.get(
    '/api/inbox/message/:inboxId/:messageId/attachments/:index',
    { schema: { params: FilePath } },
    async (request, reply) => {
      const key = keyOf(request, request.params)
      const transfer = fetches.begin(key.userId, reply.raw)
      const { name, type, bytes } = await mailbox.attachment(key, request.params.index, transfer.makeRoom)
      return reply
        .header('content-security-policy', FILE_POLICY)
        .header('content-disposition', attachmentNamed(name))
        .header('content-length', bytes.byteLength)
        .type(typeOf(type))
        .send(transfer.pieces(bytes))
    },
  )
}
