import type { Update } from 'grammy/types'
import { createAlarm } from '../platform/clock.ts'
import { type Database, isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { loggable, TelegramBusy } from './calls.ts'
import { claimUpdate, finishUpdate, postponeUpdate, type StoredUpdate } from './store/updates.ts'

/** Takes what was kept and handles it, as one of several processes. */
type Handling = {
  /** There is something new. */
  wake(): void
  start(): void
  stop(): Promise<void>
}

type Needs = {
  db: Database
  botId: string
  handle: (update: Update) => Promise<void>
  log: Log
}

const AT_ONCE = 4
/** Whoever is not told, finds it so. */
const LOOK_MS = 1_000
const AGAIN_SECONDS = [1, 3, 10, 30]

export function createHandling({ db, botId, handle, log }: Needs): Handling {
  let underWay = 0
  let isStarted = false
  const running = new Set<Promise<void>>()
  const lookLater = createAlarm(() => wake())

  function wake(): void {
    if (!isStarted) return
    while (underWay < AT_ONCE) {
      underWay += 1
      const turn = takeAll().finally(() => {
        underWay -= 1
        running.delete(turn)
        if (isStarted) lookLater(LOOK_MS)
      })
      running.add(turn)
    }
  }

  async function takeAll(): Promise<void> {
    try {
      for (;;) {
        const update = isStarted ? await claimUpdate(db, botId) : null
        if (!update) return
        await handleOne(update)
      }
    } catch (error) {
      if (!isDatabaseAway(error)) log.warn({ err: error }, 'messages to the bot wait')
    }
  }

  async function handleOne(update: StoredUpdate): Promise<void> {
    try {
      await handle(update.content)
    } catch (error) {
      // Interrupted rather than failed: whoever goes on takes it up at once.
      if (!isStarted) return postponeUpdate(db, botId, update, 0)
      const again = AGAIN_SECONDS[update.attempts - 1]
      const seconds = error instanceof TelegramBusy ? error.seconds : again
      if (again !== undefined && seconds !== undefined) {
        log.warn(
          { err: loggable(error), attempt: update.attempts },
          'a message to the bot is handled again later',
        )
        return postponeUpdate(db, botId, update, seconds)
      }
      log.error({ err: loggable(error) }, 'a message to the bot could not be handled')
    }
    await finishUpdate(db, botId, update)
  }

  return {
    wake,
    start() {
      isStarted = true
      wake()
    },
    async stop() {
      isStarted = false
      await Promise.all(running)
    },
  }
}
