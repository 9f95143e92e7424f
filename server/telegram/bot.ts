import { Bot, type Composer } from 'grammy'
import type { Update } from 'grammy/types'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { type BotPace, isBlocked, obeyingLimits } from './calls.ts'
import { type Chat, note, say, type Visit } from './chat.ts'
import type { Links } from './links.ts'
import { markup } from './markup.ts'
import { endDialogue, findDialogue, keepDialogue } from './store/dialogues.ts'

/** One thing that can be done in the chat: its commands and buttons, and what it makes of messages that it waits for. */
export type Feature = {
  /** Commands, buttons and answers to messages of the bot. */
  chat: Composer<Chat>
  /** By kind of dialogue. */
  dialogues?: Readonly<Record<string, (chat: Chat, state: unknown) => Promise<void>>>
}

type PostriderBot = {
  bot: Bot<Visit>
  /** Everything that an update asks for; throws where it should be tried again. */
  handle(update: Update): Promise<void>
}

type Needs = {
  db: Database
  token: string
  apiRoot: URL
  links: Links
  limiter: Pick<RateLimiter, 'take'>
  log: Log
  pace: BotPace
  signal: AbortSignal
  /** What those may say who are not linked yet. */
  visitors: Composer<Visit>
  features: readonly Feature[]
}

const CALL_SECONDS = 15
/** Who is not linked gets so many answers, then one every so often. */
const STRANGERS = { burst: 10, refillSeconds: 10 }

export function createBot({
  db,
  token,
  apiRoot,
  links,
  limiter,
  log,
  pace,
  signal,
  visitors,
  features,
}: Needs): PostriderBot {
  const bot = new Bot<Visit>(token, {
    client: { apiRoot: apiRoot.href.replace(/\/$/, ''), timeoutSeconds: CALL_SECONDS },
  })
  bot.api.config.use(obeyingLimits(pace, signal))
  const dialogues = new Map(features.flatMap((feature) => Object.entries(feature.dialogues ?? {})))

  bot.use(async (visit, next) => {
    // In groups anybody could press; and nobody else can write in the chat of a person.
    const isPrivate = visit.chat?.type === 'private' && visit.chat.id === visit.from?.id
    if (!isPrivate || visit.from?.is_bot) {
      // What was pressed stops turning, and nothing else happens.
      if (visit.callbackQuery) await visit.answerCallbackQuery().catch(() => {})
      return
    }
    // Numbers of updates may begin anew one day; those of presses and messages do not.
    visit.onceKey = `telegram ${visit.update.update_id} ${visit.callbackQuery?.id ?? visit.msgId ?? ''}`
    visit.isAnswered = false
    try {
      await next()
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await refuse(visit, error.message)
    }
    await note(visit, '')
  })
  bot.on('my_chat_member', async (visit) => {
    await links.setBlocked(String(visit.from.id), visit.myChatMember.new_chat_member.status === 'kicked')
  })

  bot.use(async (visit, next) => {
    const person = await links.personOf(String(visit.from?.id))
    if (!person) return (await isTooMuch(visit)) ? undefined : next()
    if (visit.from) await links.seen(person, accountOf(visit.from))
    const linked: Pick<Chat, 'person' | 'dialogue' | 'expect' | 'endDialogue'> = {
      person,
      dialogue: await findDialogue(db, person.linkId),
      expect: (kind, state) => keepDialogue(db, person.linkId, { kind, state }),
      endDialogue: () => endDialogue(db, person.linkId),
    }
    Object.assign(visit, linked)
    return next()
  })
  bot.use(visitors)
  bot.use((visit, next) => ('person' in visit ? next() : refuseStranger(visit)))
  const linked = bot.filter((visit): visit is Chat => 'person' in visit)
  for (const { chat } of features) linked.use(chat)

  linked.on('message', async (chat, next) => {
    const answer = chat.dialogue && dialogues.get(chat.dialogue.kind)
    const isCommand = chat.entities('bot_command').some(({ offset }) => offset === 0)
    return answer && !isCommand ? answer(chat, chat.dialogue?.state) : next()
  })
  linked.on('message', async (chat) => {
    await say(chat, { text: markup`I do not understand this. /help lists what I can do.` })
  })
  linked.on('callback_query', (chat) =>
    note(chat, 'This button belongs to an older version. Please ask again.'),
  )

  return {
    bot,
    async handle(update) {
      try {
        // Not by its own way, which tries for ever while those who wrote wait.
        if (!bot.isInited()) bot.botInfo = await bot.api.getMe()
        await bot.handleUpdate(update)
      } catch (thrown) {
        const error = thrown instanceof Error && 'error' in thrown ? thrown.error : thrown
        if (!isBlocked(error)) throw error
        const from = update.message?.from ?? update.callback_query?.from
        if (from) await links.setBlocked(String(from.id), true)
        log.info('a chat has blocked the bot')
      }
    },
  }

  /** A chat takes one answer a second: a few strangers who write without end would keep everybody else waiting. */
  async function isTooMuch(visit: Visit): Promise<boolean> {
    try {
      await limiter.take(`telegram stranger ${visit.from?.id}`, STRANGERS)
      return false
    } catch (error) {
      if (error instanceof AppError) return true
      throw error
    }
  }

  async function refuse(visit: Visit, sentence: string): Promise<void> {
    if (visit.callbackQuery && sentence.length < 200) await note(visit, sentence, { isBox: true })
    else await say(visit, { text: markup`${sentence}.` })
  }
}

async function refuseStranger(visit: Visit): Promise<void> {
  if (visit.callbackQuery) {
    await note(visit, 'This Telegram account is not linked to Postrider, so nothing was done.', {
      isBox: true,
    })
    return
  }
  await say(visit, {
    text: markup`This Telegram account is not linked to Postrider yet.

Open <b>Settings</b> in Postrider, press <b>Generate Link Code</b>, and send me the code like this:
<code>/link CODE</code>`,
  })
}

export const accountOf = (from: { id: number; first_name: string; username?: string | undefined }) => ({
  id: String(from.id),
  firstName: from.first_name,
  username: from.username ?? null,
})
