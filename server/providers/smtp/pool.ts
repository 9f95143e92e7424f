import { setTimeout as sleep } from 'node:timers/promises'
import { providersWords } from '../providers-words.ts'
import type { Connection } from './connection.ts'
import type { Errand } from './errand.ts'
import { accountLater, outcomeOfStop } from './outcomes.ts'
import { createSession, type Session, type SessionOptions } from './session.ts'

type PoolOptions = Pick<SessionOptions, 'secrets' | 'messagesMax' | 'timeouts'> & {
  open(signal: AbortSignal): Promise<Connection | { reason: string }>
  connectionsMax: number
}

type Pool = {
  add(errand: Errand): void
  /** Lets go of those that wait in vain: they may not begin any more, and their turn may be minutes away. */
  recall(): void
  /** Mails under way get a moment to finish, connections a goodbye; then all sockets are closed. */
  close(): Promise<void>
}

/** How long the connections that there are must do when a relay refused another beside them. */
const CROWDED_MS = 30_000

/** Gives waiting mails to connections, and opens as many of these as there is work for. */
export function createPool(options: PoolOptions): Pool {
  const { connectionsMax, timeouts } = options
  const waiting: Errand[] = []
  const sessions = new Set<Session>()
  const idle = new Set<Session>()
  const openings = new Set<Promise<void>>()
  const farewells = new Set<Promise<void>>()
  const closing = new AbortController()
  const emptied = Promise.withResolvers<void>()
  let crowdedUntil = 0

  function take(): Errand | null {
    for (let errand = waiting.shift(); errand; errand = waiting.shift()) if (isWanted(errand)) return errand
    return null
  }

  /** One that is not wanted any more comes back as it was. */
  function isWanted(errand: Errand): boolean {
    if (errand.isSettled) return false
    if (errand.mayBegin()) return true
    errand.settle({ kind: 'not-begun' })
    return false
  }

  function arrange(): void {
    for (const session of idle) {
      if (waiting.length === 0) return
      idle.delete(session)
      session.proceed()
    }
    while (waiting.length > openings.size && mayOpen()) keep(openings, open())
    if (waiting.length <= openings.size) return
    // All connections are at work; one that awaits the answer to a dot can be given the next mail's beginning.
    for (const session of sessions) session.proceed()
  }

  function mayOpen(): boolean {
    const taken = sessions.size + openings.size + farewells.size
    if (closing.signal.aborted || taken >= connectionsMax) return false
    // One goes first: a wrong password is tried once, not ten times, and a relay that is away is called once.
    return sessions.size === 0 ? openings.size === 0 : performance.now() >= crowdedUntil
  }

  async function open(): Promise<void> {
    try {
      const opened = await options.open(closing.signal)
      if (closing.signal.aborted && 'wire' in opened) opened.wire.end('Stopped')
      // It may have been closed in the moment in which it was ready, and would never say so again.
      const reason = 'reason' in opened ? opened.reason : endOf(opened)
      if (reason !== null) afterFailure(reason)
      else if ('wire' in opened) serve(opened)
    } catch (error) {
      for (const errand of waiting.splice(0)) errand.fail(error)
    }
  }

  /** In words that may be shown and kept: a relay that spoke out of turn is quoted as it spoke. */
  function endOf({ wire }: Connection): string | null {
    const reason = wire.ended()
    return reason && providersWords(reason, options.secrets)
  }

  function serve(connection: Connection): void {
    const session = createSession({
      ...options,
      connection,
      errands: { take, putBack },
      onIdle: () => idle.add(session),
      onGone(farewell) {
        sessions.delete(session)
        idle.delete(session)
        if (farewell) keep(farewells, farewell)
        if (closing.signal.aborted && sessions.size === 0) emptied.resolve()
        arrange()
      },
    })
    sessions.add(session)
    session.proceed()
  }

  function afterFailure(reason: string): void {
    // A relay may allow fewer connections than we would like; the mails then go over those that it does allow.
    if (sessions.size > 0) crowdedUntil = performance.now() + CROWDED_MS
    // This one is still among the openings.
    else if (openings.size === 1) for (const errand of waiting.splice(0)) errand.settle(accountLater(reason))
  }

  function putBack(errand: Errand): void {
    if (closing.signal.aborted) errand.settle(outcomeOfStop(false))
    else if (isWanted(errand)) {
      waiting.unshift(errand)
      // Once the session that gives it back has come to rest.
      queueMicrotask(arrange)
    }
  }

  /** Counts it until it is over, when there may be room for another. */
  function keep(among: Set<Promise<void>>, work: Promise<void>): void {
    among.add(work)
    void work.then(() => {
      among.delete(work)
      arrange()
    })
  }

  return {
    add(errand) {
      if (closing.signal.aborted) errand.settle(outcomeOfStop(false))
      else {
        waiting.push(errand)
        arrange()
      }
    },
    recall() {
      waiting.push(...waiting.splice(0).filter(isWanted))
    },
    async close() {
      closing.abort()
      for (const errand of waiting.splice(0)) errand.settle(outcomeOfStop(false))
      for (const session of [...sessions]) session.finish()
      if (sessions.size === 0) emptied.resolve()
      await Promise.race([emptied.promise, sleep(timeouts.quitMs, undefined, { ref: false })])
      for (const session of [...sessions]) session.leave('Stopped while sending')
      await Promise.all([...farewells, ...openings])
    },
  }
}
