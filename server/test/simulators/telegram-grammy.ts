import { Api, Bot } from 'grammy'
import { startTelegramSimulator, type TelegramSimulator, type TelegramSimulatorOptions } from './telegram.ts'

/** A simulator and grammY's client of it, for one test. */
export async function aTelegram(
  options: TelegramSimulatorOptions = {},
): Promise<AsyncDisposable & { telegram: TelegramSimulator; api: Api }> {
  const telegram = await startTelegramSimulator(options)
  return {
    telegram,
    api: new Api(telegram.token, { apiRoot: telegram.apiRoot }),
    [Symbol.asyncDispose]: () => telegram.close(),
  }
}

/** grammY's own bot, polling, with what a test teaches it. */
export async function aBot(
  { token, apiRoot }: TelegramSimulator,
  teach: (bot: Bot) => void,
): Promise<AsyncDisposable> {
  const bot = new Bot(token, { client: { apiRoot } })
  teach(bot)
  await new Promise<void>((resolve, reject) => {
    bot.start({ onStart: () => resolve() }).catch(reject)
  })
  return { [Symbol.asyncDispose]: () => bot.stop() }
}

/** `done`, or why not: `400: Bad Request: …`. */
export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: Error) => /\((\d+: .*)\)$/s.exec(error.message)?.[1] ?? error.message,
  )
