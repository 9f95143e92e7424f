import type { Update } from 'grammy/types'
import { createAlarm } from '../platform/clock.ts'
import { type Database, isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { loggable, TelegramBusy } from './calls.ts'
import { MoreMayCome } from './pieces.ts'
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
/** What this process and the database count as the same time. */
const CLOCKS_APART_MS = 20

export function createHandling({ db, botId, handle, log }: Needs): Handling {
  let underWay = 0
  let isStarted = false
  const running = new Set<Promise<void>>()
  const lookLater = createAlarm(() => wake())
  const lookForMore = createAlarm(() => wake())

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
      if (error instanceof MoreMayCome) return waitForMore(update, error.milliseconds)
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

  /** Nobody is kept from being heard by it, as they would be by one who waits here. */
  async function waitForMore(update: StoredUpdate, milliseconds: number): Promise<void> {
    await postponeUpdate(db, botId, update, milliseconds / 1000, { isAttempt: false })
    lookForMore(milliseconds + CLOCKS_APART_MS)
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
