import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, GrammyError, HttpError, type Transformer } from 'grammy'
import { afterAbort } from '../platform/clock.ts'

/** Telegram wants us to wait longer than anybody waits for an answer: later, then. */
export class TelegramBusy extends Error {
  override name = 'TelegramBusy'
  readonly seconds: number

  constructor(seconds: number) {
    super(`Telegram asks to wait ${seconds} s`)
    this.seconds = seconds
  }
}

/** No answer came. The error that grammY has inside its own names the address, and with it the token: it ends here. */
export class TelegramAway extends Error {
  override name = 'TelegramAway'
}

/** grammY names the type after a package for Node before 15; it is the same thing. */
export const grammySignal = (signal: AbortSignal) => signal as NonNullable<Parameters<Api['getMe']>[0]>

type Pace = { everyMs: number; atOnce: number }
export type BotPace = {
  chat: Pace
  all: Pace
  /** How long somebody who has answered a mail in the chat waits to read what became of it. */
  knownMs: number
  /** How often it is noted that somebody looks after the bot, and looked whether Telegram reaches it. */
  signOfLifeMs: number
  /** By then whoever looks after a new bot has given a sign of life, whether Telegram is reached or not. */
  firstSignMs: number
}

/** A chat takes about one message a second, and a few at once; all chats together about thirty. */
export const TELEGRAM_PACE: BotPace = {
  chat: { everyMs: 1_050, atOnce: 5 },
  all: { everyMs: 36, atOnce: 25 },
  // Most providers have answered by then; nobody waits longer for a line in a chat.
  knownMs: 2_000,
  signOfLifeMs: 30_000,
  firstSignMs: 120_000,
}
/** As long as somebody who pressed a button may be kept waiting. */
const PATIENCE_MS = 20_000
/** After a failure that says nothing about what was asked. */
const AGAIN_MS = [500, 2_000, 5_000]
/** When this process stops: what is being said is let finish, and not for as long as Telegram may be silent. */
const LAST_WORDS_MS = 3_000
/** These bring something into a chat, and are counted there. */
const COUNTED = /^(?:send|edit|copy|forward)/

/**
 * Keeps to what Telegram allows before it must say so, and to what it says then. Calls that failed for no fault of their
 * own are made again: a message may then stand in a chat twice, which is better than not at all.
 */
export function obeyingLimits(pace: Pick<BotPace, 'chat' | 'all'>, signal: AbortSignal): Transformer {
  const chats = new Map<string, Turnstile>()
  const bot = createTurnstile(pace.all)
  const leaving = new AbortController()
  void afterAbort(signal, LAST_WORDS_MS).then(() => leaving.abort())

  const chatOf = (key: string): Turnstile => {
    const known = chats.get(key) ?? createTurnstile(pace.chat)
    // Nobody who has not been written to lately needs to be remembered.
    if (chats.size > 1_000) for (const [old, { isFree }] of chats) if (isFree()) chats.delete(old)
    chats.set(key, known)
    return known
  }

  return async (call, method, payload, given) => {
    const ended = given ? AbortSignal.any([given as AbortSignal, leaving.signal]) : leaving.signal
    const chat = 'chat_id' in payload && COUNTED.test(method) ? chatOf(String(payload.chat_id)) : null
    const deadline = performance.now() + PATIENCE_MS
    for (let failures = 0; ; ) {
      const places = chat ? [chat.pass(), bot.pass()] : []
      await waitFor(Math.max(0, ...places.map(({ milliseconds }) => milliseconds)), deadline)
      const answer = await call(method, payload, grammySignal(ended)).catch((error: unknown) => {
        if (!(error instanceof HttpError)) throw error
        if (failures >= AGAIN_MS.length) throw new TelegramAway(error.message)
        return null
      })
      for (const { arrived } of places) arrived()
      const isFailure = answer === null || (!answer.ok && answer.error_code >= 500)
      if (isFailure && failures < AGAIN_MS.length) {
        await waitFor(AGAIN_MS[failures] ?? 0, deadline)
        failures += 1
      } else if (answer && !answer.ok && answer.error_code === 429) {
        const milliseconds = (answer.parameters?.retry_after ?? 1) * 1000
        ;(chat ?? bot).hold(milliseconds)
        await waitFor(milliseconds, deadline)
      } else if (answer) return answer
    }
  }

  async function waitFor(milliseconds: number, deadline: number): Promise<void> {
    if (performance.now() + milliseconds > deadline) throw new TelegramBusy(Math.ceil(milliseconds / 1000))
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal })
  }
}

type Turnstile = {
  /** Takes a place, and tells how long to wait for it. Whoever has been there says so. */
  pass(): { milliseconds: number; arrived: () => void }
  hold(milliseconds: number): void
  isFree(): boolean
}

function createTurnstile({ everyMs, atOnce }: Pace): Turnstile {
  const ahead = everyMs * (atOnce - 1)
  let next = 0
  let passed = 0
  return {
    pass() {
      const now = performance.now()
      next = Math.max(next, now - ahead) + everyMs
      passed += 1
      const mine = passed
      return {
        milliseconds: Math.max(0, next - everyMs - now),
        // Telegram counts from when it heard of a call, which was not after its answer: a slow way there is no time gained.
        arrived() {
          const later = passed - mine
          next = Math.max(next, performance.now() - ahead + everyMs * (1 + later))
        },
      }
    },
    hold(milliseconds) {
      next = Math.max(next, performance.now() + milliseconds)
    },
    isFree: () => next < performance.now() - everyMs * atOnce,
  }
}

export const TAKEN =
  'Another program fetches what is said to this bot. Only one installation can use a bot at a time'

/** What keeps the bot from being reached, in words for whoever operates it; the token is in none of them. */
export function problemOf(error: unknown): string {
  if (error instanceof GrammyError && error.error_code === 401)
    return 'Telegram does not accept the token of the bot. Whoever operates Postrider gets the right one from @BotFather and sets it as TELEGRAM_BOT_TOKEN'
  if (error instanceof GrammyError && error.error_code === 409) return TAKEN
  if (error instanceof GrammyError) return `Telegram refuses to work with the bot: ${error.description}`
  if (!isOfTelegram(error))
    return 'What is said to the bot cannot be stored just now; it is tried again by itself'
  return 'Telegram cannot be reached from this installation just now; it is tried again by itself'
}

/** Rather than of the database, or of ours. */
export const isOfTelegram = (error: unknown): boolean =>
  error instanceof GrammyError || error instanceof HttpError

/** For the log: without what was to be said, which is the user's. */
export const loggable = (error: unknown): unknown =>
  error instanceof GrammyError ? { method: error.method, refusal: error.description } : error

export const isBlocked = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 403 || /chat not found/.test(error.description))

/** Nothing to mend: it looks so already. */
export const isUnchanged = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 400 && /not modified/.test(error.description)

/** The message is gone, or too old to be changed. */
export const isGone = (error: unknown): boolean =>
  error instanceof GrammyError &&
  error.error_code === 400 &&
  /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/.test(error.description)
