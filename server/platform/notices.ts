import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { DatabaseLines } from './database-lines.ts'
import type { Log } from './log.ts'
import { LINE_PACE, type LinePace, openNoticesLine } from './notices-line.ts'

/** Something of a user has changed; what exactly is asked of the database by whoever cares. */
export type Notice = { userId: string; kind: string; id: string }

type Subscriber = {
  /** Null: whatever concerns anybody. */
  userId: string | null
  heard(notice: Notice): void
  /** Nothing more is heard, and something may have been missed already: subscribe again, then look. */
  lost(): void
}

/** Tells all processes of one database what has changed, by way of that database. */
export type Notices = {
  /** Told at once, and then at most a few times a second for one thing, the last change always. */
  publish(notice: Notice): void
  /** Everything that is published after this has answered is heard, until the way to stop is gone. */
  subscribe(subscriber: Subscriber): Promise<() => void>
  stop(): Promise<void>
}

const CHANNEL = 'postrider_notices'
const PAUSE_MS = 300
/** After a notice could not be sent: those who wait for it have no other way to hear of the change. */
const AGAIN_MS = 5_000

export function createNotices({
  db,
  url,
  lines,
  log,
  pace = LINE_PACE,
}: {
  db: Database
  url: string
  lines?: DatabaseLines | undefined
  log: Log
  pace?: LinePace
}): Notices {
  const subscribers = new Map<string | null, Set<Subscriber>>()
  /** What was told lately: true when it has changed again since. */
  const lately = new Map<string, boolean>()
  let listening: ReturnType<typeof openNoticesLine> | null = null
  let isStopped = false

  function publish(notice: Notice): void {
    const text = JSON.stringify(notice)
    if (lately.has(text)) {
      lately.set(text, true)
      return
    }
    lately.set(text, false)
    tell(notice, text)
    setTimeout(() => {
      const hasChanged = lately.get(text)
      lately.delete(text)
      if (hasChanged && !isStopped) publish(notice)
    }, PAUSE_MS).unref()
  }

  const tell = (notice: Notice, text: string): void => {
    sql`select pg_notify(${CHANNEL}, ${text})`.execute(db).catch((error: unknown) => {
      log.debug({ err: error }, 'a notice could not be sent and is sent again')
      if (!isStopped) setTimeout(() => publish(notice), AGAIN_MS).unref()
    })
  }

  /** Listening needs a connection of its own; it is made when somebody first listens, and again after it broke. */
  async function listen(): ReturnType<typeof openNoticesLine> {
    try {
      return await openNoticesLine({ url, lines, channel: CHANNEL, pace, heard: pass, lost: loseAll })
    } catch (error) {
      // Whoever waits for this line hears of the failure; whoever comes later waits for the next one.
      listening = null
      throw error
    }
  }

  function pass(payload: string): void {
    const notice = JSON.parse(payload) as Notice
    for (const key of [notice.userId, null])
      for (const subscriber of subscribers.get(key) ?? []) subscriber.heard(notice)
  }

  function loseAll(): void {
    listening = null
    const all = [...subscribers.values()].flatMap((ofUser) => [...ofUser])
    subscribers.clear()
    for (const subscriber of all) subscriber.lost()
  }

  return {
    publish,
    async subscribe(subscriber) {
      const { userId } = subscriber
      const ofUser = subscribers.get(userId) ?? new Set()
      // Before the line is there: if it breaks right after, this one is told so as well.
      subscribers.set(userId, ofUser.add(subscriber))
      const unsubscribe = () => {
        ofUser.delete(subscriber)
        if (ofUser.size === 0 && subscribers.get(userId) === ofUser) subscribers.delete(userId)
      }
      listening ??= listen()
      await listening.catch((error: unknown) => {
        unsubscribe()
        throw error
      })
      return unsubscribe
    },
    async stop() {
      isStopped = true
      const untold = [...lately].flatMap(([text, hasChanged]) => (hasChanged ? text : []))
      if (untold.length > 0)
        await sql`select pg_notify(${CHANNEL}, text) from unnest(${untold}::text[]) text`
          .execute(db)
          .catch((error: unknown) => log.debug({ err: error }, 'the last notices were lost'))
      const line = await listening?.catch(() => null)
      await line?.close()
    },
  }
}
