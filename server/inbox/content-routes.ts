import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
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

/** A file is held in memory until the browser has all of it. */
const FILES_PER_USER = 4

type Dependencies = { mailbox: Pick<Mailbox, 'html' | 'source' | 'attachment'> }

/** What strangers wrote, as they wrote it: every answer says itself that nothing in it may run. */
export function contentRoutes(app: Http, { mailbox }: Dependencies): void {
  const fetching = new Map<string, number>()

  function countFetch(userId: string, reply: FastifyReply): void {
    const others = fetching.get(userId) ?? 0
    if (others >= FILES_PER_USER)
      throw new AppError(429, 'Too many files are being fetched at the same time; please wait for some')
    fetching.set(userId, others + 1)
    reply.raw.once('close', () => {
      const left = (fetching.get(userId) ?? 1) - 1
      if (left === 0) fetching.delete(userId)
      else fetching.set(userId, left)
    })
  }

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
      countFetch(key.userId, reply)
      const { name, type, bytes } = await mailbox.attachment(key, request.params.index)
      return reply
        .header('content-security-policy', FILE_POLICY)
        .header('content-disposition', attachmentNamed(name))
        .type(typeOf(type))
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    },
  )
}
