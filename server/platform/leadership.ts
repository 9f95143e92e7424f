import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isDatabaseAway } from './database.ts'
import type { DatabaseLines } from './database-lines.ts'
import type { Log } from './log.ts'

/** What only one of all processes does at a time: whoever holds the lock in the database does it. */
type Leadership = {
  /** Runs `work` whenever this process is the one; its signal aborts when it no longer is. */
  lead(work: (signal: AbortSignal) => Promise<void>): void
  stop(): Promise<void>
}

type Needs = {
  url: string
  lines?: DatabaseLines | undefined
  log: Log
  /** Equal in all processes that compete for it. */
  name: string
}

/** How soon another process takes over from one that has gone. */
const LOOK_MS = 2_000

/**
 * A host that loses power says nothing, and PostgreSQL would keep its lock for two hours: so it asks such a session
 * after 10 s of silence, and ends it after three questions in vain, 5 s apart.
 */
const LOOK_AFTER_SESSION = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`
/** A leader that is only cut off notices earlier, as Node asks ten times, 1 s apart: else there would be two of them. */
const LOOK_AFTER_DATABASE_MS = 5_000

export function createLeadership({ url, lines, log, name }: Needs): Leadership {
  const stopping = new AbortController()
  let leading = Promise.resolve()

  /** As long as the connection lasts the lock does, and no longer. */
  async function term(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const line = new pg.Client({
      connectionString: url,
      ...(lines ? { stream: lines.socket } : {}),
      application_name: `postrider ${name}`,
      keepAlive: true,
      keepAliveInitialDelayMillis: LOOK_AFTER_DATABASE_MS,
    })
    const lost = new AbortController()
    line.on('error', () => {})
    line.on('end', () => lost.abort())
    try {
      await line.connect()
      await line.query(LOOK_AFTER_SESSION)
      const { rows } = await line.query<{ isOurs: boolean }>(
        `select pg_try_advisory_lock(hashtextextended($1, 0)) as "isOurs"`,
        [`postrider ${name}`],
      )
      if (rows[0]?.isOurs) await work(AbortSignal.any([stopping.signal, lost.signal]))
    } finally {
      await line.end().catch(() => {})
    }
  }

  async function compete(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await term(work).catch((error: unknown) => {
        const level = isDatabaseAway(error) ? 'debug' : 'warn'
        log[level]({ err: error, work: name }, 'work that one process does for all was interrupted')
      })
      await sleep(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    lead(work) {
      leading = compete(work)
    },
    async stop() {
      stopping.abort()
      await leading
    },
  }
}
