import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import type { DatabaseLines } from './database-lines.ts'
import type { Log } from './log.ts'

/** Something of a user has changed; what exactly is asked of the database by whoever cares. */
export type Notice = { userId: string; kind: string; id: string }

/** Tells all processes of one database what has changed, by way of that database. */
export type Notices = {
  /** Told at once, and then at most a few times a second for one thing, the last change always. */
  publish(notice: Notice): void
  /** Only what is published from now on; answers the way to stop. */
  subscribe(userId: string, listener: (notice: Notice) => void): () => void
  stop(): Promise<void>
}

const CHANNEL = 'postrider_notices'
const PAUSE_MS = 300
const RECONNECT_MS = 1_000

export function createNotices({
  db,
  url,
  lines,
  log,
}: {
  db: Database
  url: string
  lines?: DatabaseLines | undefined
  log: Log
}): Notices {
  const listeners = new Map<string, Set<(notice: Notice) => void>>()
  /** What was told lately: true when it has changed again since. */
  const lately = new Map<string, boolean>()
  let client: pg.Client | null = null
  let isStopped = false

  function publish(notice: Notice): void {
    const text = JSON.stringify(notice)
    if (lately.has(text)) {
      lately.set(text, true)
      return
    }
    lately.set(text, false)
    tell(text)
    setTimeout(() => {
      const hasChanged = lately.get(text)
      lately.delete(text)
      if (hasChanged && !isStopped) publish(notice)
    }, PAUSE_MS).unref()
  }

  const tell = (text: string): void => {
    sql`select pg_notify(${CHANNEL}, ${text})`
      .execute(db)
      .catch((error: unknown) => log.debug({ err: error }, 'a notice was lost'))
  }

  /** Listening needs a connection of its own; it is made when somebody first listens. */
  async function listen(): Promise<void> {
    if (client || isStopped) return
    const line = new pg.Client({
      connectionString: url,
      ...(lines ? { stream: lines.socket } : {}),
      application_name: 'postrider notices',
    })
    client = line
    line.on('error', () => {})
    line.on('end', () => {
      client = null
      if (!isStopped && listeners.size > 0) setTimeout(listenAgain, RECONNECT_MS).unref()
    })
    line.on('notification', ({ payload }) => pass(payload ?? ''))
    try {
      await line.connect()
      await line.query(`listen ${CHANNEL}`)
    } catch {
      // Ended with the error; the listener above makes the next one.
      await line.end().catch(() => {})
    }
  }
  const listenAgain = () => void listen()

  function pass(payload: string): void {
    const notice = JSON.parse(payload) as Notice
    for (const listener of listeners.get(notice.userId) ?? []) listener(notice)
  }

  return {
    publish,
    subscribe(userId, listener) {
      const ofUser = listeners.get(userId) ?? new Set()
      listeners.set(userId, ofUser.add(listener))
      listenAgain()
      return () => {
        ofUser.delete(listener)
        if (ofUser.size === 0) listeners.delete(userId)
      }
    },
    async stop() {
      isStopped = true
      await client?.end().catch(() => {})
    },
  }
}
