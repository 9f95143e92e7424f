import type { LinkCode } from '../../contract/telegram.ts'
import type { BotPace } from '../telegram/calls.ts'
import { aUser, type SignedIn } from './accounts.ts'
import { aRunningApp, type RunningApp, type RunningOptions } from './running-app.ts'
import {
  startTelegramSimulator,
  type TelegramSimulator,
  type TelegramSimulatorOptions,
} from './simulators/telegram.ts'
import type { Person } from './simulators/telegram-people.ts'

export type TelegramApp = AsyncDisposable & { running: RunningApp; telegram: TelegramSimulator }

/** The simulator has no limits unless it is told so, and no test needs to wait for those of the real one. */
export const QUICKLY: BotPace = {
  chat: { everyMs: 1, atOnce: 100 },
  all: { everyMs: 1, atOnce: 100 },
  // However long a busy machine takes to send.
  knownMs: 60_000,
  signOfLifeMs: 100,
  firstSignMs: 2_000,
}

/** The application with its bot, and Telegram beside it. */
export async function anAppWithBot(
  env: Record<string, string> = {},
  options: RunningOptions & { simulator?: TelegramSimulatorOptions } = {},
): Promise<TelegramApp> {
  const telegram = await startTelegramSimulator(options.simulator)
  const running = await aRunningApp({ ...botEnv(telegram), ...env }, { botPace: QUICKLY, ...options })
  return {
    running,
    telegram,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await telegram.close()
    },
  }
}

/** What an application needs to know of this bot. */
export const botEnv = (telegram: TelegramSimulator): Record<string, string> => ({
  TELEGRAM_BOT_TOKEN: telegram.token,
  TELEGRAM_API_ROOT: telegram.apiRoot,
})

export type LinkedChat = { user: SignedIn; person: Person }

/** A user, and the Telegram account that is linked to theirs by a code, as people do it; it tells nothing by itself unless `isTold`. */
export async function aLinkedChat(
  { running, telegram }: Pick<TelegramApp, 'running' | 'telegram'>,
  {
    firstName = 'Ann',
    timeZone = 'UTC',
    isTold = false,
  }: { firstName?: string; timeZone?: string; isTold?: boolean } = {},
): Promise<LinkedChat> {
  const user = await aUser(running)
  const person = telegram.person({ firstName, username: firstName.toLowerCase() })
  await person.starts(await aCode(user, timeZone))
  await person.hears(/Linked to/)
  // Alerts would come in between what a test about something else waits for.
  if (!isTold)
    await running.db
      .updateTable('telegram_links')
      .set({ tells_finished: false, tells_paused: false, tells_bounces: false, tells_replies: false })
      .where('user_id', '=', user.userId)
      .execute()
  return { user, person }
}

export async function aCode({ browser }: SignedIn, timeZone = 'UTC'): Promise<string> {
  const path = `/api/telegram/link?timeZone=${encodeURIComponent(timeZone)}`
  const answer = await browser.post(path, {})
  if (answer.status !== 200) throw new Error(`no code was made: ${answer.status} ${answer.text}`)
  return (answer.json() as LinkCode).code
}
