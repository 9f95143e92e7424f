import type { Update } from 'grammy/types'
import { z } from 'zod'
import {
  LinkCode,
  LinkCodeQuery,
  LinkCodeRequest,
  TelegramBot,
  TelegramLinkPath,
  TelegramLinks,
} from '../../contract/telegram.ts'
import { userOf } from '../auth/sessions.ts'
import { AppError, nothingHere } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { sameBytes } from '../platform/secrets.ts'
import { type TelegramService, WEBHOOK_PATH } from './service.ts'

type Dependencies = {
  telegram: Pick<TelegramService, 'links' | 'arrivals' | 'bot'>
  limiter: Pick<RateLimiter, 'take'>
  webhookSecret: string | null
}

/** A person needs one; ten in a row are a program. */
const CODES = { burst: 10, refillSeconds: 60 }
const SECRET_HEADER = 'x-telegram-bot-api-secret-token'
/** Only what is needed to keep it; the rest is read by whoever handles it. */
const AnUpdate = z.looseObject({ update_id: z.int().nonnegative() })

export function telegramRoutes(app: Http, { telegram, limiter, webhookSecret }: Dependencies): void {
  app.get('/api/telegram/bot', { schema: { response: { 200: TelegramBot } } }, () => telegram.bot())

  app.get('/api/telegram/links', { schema: { response: { 200: TelegramLinks } } }, (request) =>
    telegram.links.ofUser(userOf(request).id),
  )

  app.post(
    '/api/telegram/link',
    { schema: { querystring: LinkCodeQuery, body: LinkCodeRequest, response: { 200: LinkCode } } },
    async (request) => {
      const { id: userId } = userOf(request)
      const { name, state } = await telegram.bot()
      if (state === 'none') throw new AppError(409, 'This installation has no Telegram bot')
      await limiter.take(`telegram codes ${userId}`, CODES)
      const { code, expiresAt } = await telegram.links.makeCode(userId, request.query.timeZone ?? 'UTC')
      return { code, expiresAt, url: name && `https://t.me/${name}?start=${code}` }
    },
  )

  app.delete('/api/telegram/code', async (request, reply) => {
    await telegram.links.dropCode(userOf(request).id)
    return reply.code(204).send()
  })

  app.delete(
    '/api/telegram/link/:telegramUserId',
    { schema: { params: TelegramLinkPath } },
    async (request, reply) => {
      await telegram.links.unlink(userOf(request).id, request.params.telegramUserId)
      return reply.code(204).send()
    },
  )

  app.post(
    WEBHOOK_PATH,
    {
      config: { access: 'public', allowForeignOrigin: true },
      bodyLimit: 1_000_000,
      // Before a byte of the body is read: anybody can call here.
      onRequest: async ({ headers }) => {
        if (telegram.arrivals === null || webhookSecret === null) throw nothingHere()
        const said = Buffer.from(String(headers[SECRET_HEADER] ?? ''))
        if (!sameBytes(said, Buffer.from(webhookSecret)))
          throw new AppError(401, 'This call does not prove that it comes from Telegram')
      },
    },
    async (request, reply) => {
      if (telegram.arrivals === null) throw nothingHere()
      const update = AnUpdate.safeParse(request.body)
      if (!update.success) throw new AppError(400, 'This is not an update of the Bot API')
      // Proved to be Telegram's: its shape is that of the Bot API.
      await telegram.arrivals.take([update.data as Update])
      return reply.send({})
    },
  )
}
