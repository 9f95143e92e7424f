import { z } from 'zod'
import { DateTime } from './date-time.ts'

/** The link between an account and a Telegram account, from which campaigns are run. */

/** So long a code is good for. */
export const LINK_CODE_MINUTES = 10

/** `GET /api/telegram/bot` */
export const TelegramBot = z.object({
  /** `none`: the operator has set no token. `unreachable`: there is one, and `problem` says what keeps it from working. */
  state: z.enum(['none', 'ready', 'unreachable']),
  /** Without the @; known since the bot was first reached. */
  name: z.string().nullable(),
  problem: z.string().nullable(),
})
export type TelegramBot = z.infer<typeof TelegramBot>

export const TelegramLink = z.object({
  id: z.string(),
  /** Digits; larger than some numbers can be. */
  telegramUserId: z.string(),
  telegramFirstName: z.string(),
  /** Without the @; not everybody has one. */
  telegramUsername: z.string().nullable(),
  linkedAt: DateTime,
  /** They have blocked the bot in Telegram: nothing can be told them until they start it again. */
  isBlocked: z.boolean(),
})
export type TelegramLink = z.output<typeof TelegramLink>

/** `GET /api/telegram/links`: none or one. */
export const TelegramLinks = z.array(TelegramLink)
export type TelegramLinks = z.output<typeof TelegramLinks>

/** `POST /api/telegram/link`: a new code; the one before it is worth nothing any more. */
export const LinkCodeRequest = z.strictObject({}).nullish()
export const LinkCodeQuery = z.strictObject({
  /** Whose quiet hours are meant, for example Europe/Vienna; UTC where nothing is said. */
  timeZone: z.string().max(100).optional(),
})
export const LinkCode = z.object({
  code: z.string(),
  expiresAt: DateTime,
  /** Opens the bot with this code; null while its name is unknown. */
  url: z.url().nullable(),
})
export type LinkCode = z.output<typeof LinkCode>

/** `DELETE /api/telegram/link/{telegramUserId}` */
export const TelegramLinkPath = z.object({ telegramUserId: z.string().max(30) })

/** What `GET /api/events` sends under the name `telegram` when a link was made or taken away, or the bot was blocked. */
export const TelegramNews = z.object({ links: TelegramLinks })
export type TelegramNews = z.output<typeof TelegramNews>
