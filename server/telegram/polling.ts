import { setTimeout as sleep } from 'node:timers/promises'
import { Api, GrammyError } from 'grammy'
import type { WebhookInfo } from 'grammy/types'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type Arrivals, WANTED } from './arrivals.ts'
import { type BotPace, grammySignal, isOfTelegram, problemOf, TAKEN } from './calls.ts'
import { COMMANDS } from './commands.ts'
import { oneLine } from './markup.ts'
import { findNewCopy, forgetOtherBots, noteBot } from './store/bots.ts'

/** Looks after the bot for the whole installation: introduces it to Telegram, and fetches what is said to it. */
type Polling = { run(signal: AbortSignal): Promise<void> }

type Webhook = { url: URL; secret: string }

type Needs = {
  db: Database
  botId: string
  token: string
  apiRoot: URL
  /** Where Telegram brings updates by itself, and what proves that it is Telegram; null where they are fetched. */
  webhook: Webhook | null
  pace: Pick<BotPace, 'signOfLifeMs'>
  arrivals: Arrivals
  log: Log
}

/** Telegram answers sooner when there is something. */
const POLL_SECONDS = 25
/** Signs of life for which a bot that another program has taken is left to it: no two take it from each other all day. */
const LEFT_FOR_SIGNS = 10
/** Telegram keeps its last failure for long after it has delivered everything. */
const FAILED_SECONDS = 15 * 60
const AGAIN_MS = [1_000, 2_000, 5_000, 15_000, 30_000]

export function createPolling(needs: Needs): Polling {
  const { db, botId, token, apiRoot, webhook, pace, arrivals, log } = needs
  const api = new Api(token, {
    apiRoot: apiRoot.href.replace(/\/$/, ''),
    timeoutSeconds: POLL_SECONDS + 10,
  })

  async function introduce(signal: AbortSignal): Promise<void> {
    const ended = grammySignal(signal)
    const { username } = await api.getMe(ended)
    await forgetOtherBots(db, botId)
    await api.setMyCommands(COMMANDS, {}, ended)
    const copy = await findNewCopy(db, botId)
    const dropped = copy === null ? {} : { drop_pending_updates: true }
    if (webhook) {
      const options = { secret_token: webhook.secret, allowed_updates: WANTED, ...dropped }
      await api.setWebhook(webhook.url.href, options, ended)
    } else await api.deleteWebhook(dropped, ended)
    await noteBot(db, botId, { username, problem: null, copy })
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
      if (!(await arrivals.take(updates))) return
      await noteBot(db, botId, { problem: null })
      const last = updates.map(({ update_id }) => update_id).sort((a, b) => b - a)[0]
      confirmed = last === undefined ? undefined : last + 1
    }
  }

  /** For as long as Telegram calls here; whoever else uses this bot may have told it otherwise. */
  async function beReachable({ url }: Webhook, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(pace.signOfLifeMs, undefined, { signal })
      const info = await api.getWebhookInfo(grammySignal(signal))
      const called = info.url ?? ''
      if (URL.parse(called)?.href === url.href) {
        await noteBot(db, botId, { problem: problemOfCalls(info, url) })
        if ((await findNewCopy(db, botId)) !== null) return
        continue
      }
      log.warn('another program has changed where Telegram calls; it is told again to call here')
      if (called !== '') await waitFor(LEFT_FOR_SIGNS * pace.signOfLifeMs, TAKEN, signal)
      return
    }
  }

  /** With a sign of life now and then: Telegram may ask for an hour, in which the bot is looked after all the same. */
  async function waitFor(milliseconds: number, problem: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + milliseconds
    for (let left = milliseconds; left > 0 && !signal.aborted; left = until - performance.now()) {
      await noteBot(db, botId, { problem })
      await sleep(Math.min(left, pace.signOfLifeMs), undefined, { signal }).catch(() => {})
    }
  }

  return {
    async run(signal) {
      for (let failures = 0; !signal.aborted; failures++) {
        try {
          await introduce(signal)
          failures = 0
          await (webhook ? beReachable(webhook, signal) : fetchUpdates(signal))
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

/** Why Telegram could not deliver what waits; null where it can, or nothing does. */
function problemOfCalls(info: WebhookInfo, url: URL): string | null {
  const { pending_update_count: waiting, last_error_date: failedAt = 0, last_error_message: reason } = info
  const isRecent = Date.now() / 1000 - failedAt < FAILED_SECONDS
  if (waiting === 0 || !isRecent) return null
  return `Telegram cannot deliver what is said to the bot to ${url.href}: ${oneLine(reason ?? 'it gives no reason', 300)}`
}

const retryAfter = (error: unknown): number | undefined => {
  const seconds = error instanceof GrammyError ? error.parameters.retry_after : undefined
  return seconds === undefined ? undefined : seconds * 1000
}
