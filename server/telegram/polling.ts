import { setTimeout as sleep } from 'node:timers/promises'
import { Api, GrammyError } from 'grammy'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type Arrivals, WANTED } from './arrivals.ts'
import { grammySignal, isOfTelegram, problemOf } from './calls.ts'
import { COMMANDS } from './commands.ts'
import { forgetOtherBots, noteBot } from './store/bots.ts'

/** Looks after the bot for the whole installation: introduces it to Telegram, and fetches what is said to it. */
type Polling = { run(signal: AbortSignal): Promise<void> }

type Needs = {
  db: Database
  botId: string
  token: string
  apiRoot: URL
  /** Where Telegram brings updates by itself, and what proves that it is Telegram; null where they are fetched. */
  webhook: { url: URL; secret: string } | null
  arrivals: Arrivals
  log: Log
}

/** Telegram answers sooner when there is something. */
const POLL_SECONDS = 25
const SIGN_OF_LIFE_MS = 30_000
const AGAIN_MS = [1_000, 2_000, 5_000, 15_000, 30_000]

export function createPolling({ db, botId, token, apiRoot, webhook, arrivals, log }: Needs): Polling {
  const api = new Api(token, {
    apiRoot: apiRoot.href.replace(/\/$/, ''),
    timeoutSeconds: POLL_SECONDS + 10,
  })

  async function introduce(signal: AbortSignal): Promise<void> {
    const ended = grammySignal(signal)
    const { username } = await api.getMe(ended)
    await forgetOtherBots(db, botId)
    await api.setMyCommands(COMMANDS, {}, ended)
    if (webhook) {
      const options = { secret_token: webhook.secret, allowed_updates: WANTED }
      await api.setWebhook(webhook.url.href, options, ended)
    } else await api.deleteWebhook({}, ended)
    await noteBot(db, botId, { username, problem: null })
  }

  async function fetchUpdates(signal: AbortSignal): Promise<void> {
    // Sent once after what it confirms: numbers may begin anew at any other one, which a lasting offset would pass over.
    let confirmed: number | undefined
    while (!signal.aborted) {
      const options = { timeout: POLL_SECONDS, allowed_updates: WANTED }
      const updates = await api.getUpdates(
        confirmed === undefined ? options : { ...options, offset: confirmed },
        grammySignal(signal),
      )
      await arrivals.take(updates)
      await noteBot(db, botId, { problem: null })
      const last = updates.map(({ update_id }) => update_id).sort((a, b) => b - a)[0]
      confirmed = last === undefined ? undefined : last + 1
    }
  }

  async function beReachable(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await noteBot(db, botId, { problem: null })
      await sleep(SIGN_OF_LIFE_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** With a sign of life now and then: Telegram may ask for an hour, in which the bot is looked after all the same. */
  async function waitFor(milliseconds: number, problem: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + milliseconds
    for (let left = milliseconds; left > 0 && !signal.aborted; left = until - performance.now()) {
      await noteBot(db, botId, { problem })
      await sleep(Math.min(left, SIGN_OF_LIFE_MS), undefined, { signal }).catch(() => {})
    }
  }

  return {
    async run(signal) {
      for (let failures = 0; !signal.aborted; failures++) {
        try {
          await introduce(signal)
          failures = 0
          await (webhook ? beReachable(signal) : fetchUpdates(signal))
        } catch (error) {
          if (signal.aborted) return
          const wait = retryAfter(error) ?? AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)] ?? 0
          // What grammY has to say holds the token.
          const err = isOfTelegram(error) ? {} : { err: error }
          log.warn(
            { problem: problemOf(error), ...err },
            'the Telegram bot is out of reach; it is tried again',
          )
          await waitFor(wait, problemOf(error), signal)
        }
      }
    },
  }
}

const retryAfter = (error: unknown): number | undefined => {
  const seconds = error instanceof GrammyError ? error.parameters.retry_after : undefined
  return seconds === undefined ? undefined : seconds * 1000
}
