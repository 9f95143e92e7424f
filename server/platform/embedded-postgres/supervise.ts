import { setTimeout as sleep } from 'node:timers/promises'
import { bringUp, type Needs } from './bring-up.ts'
import { stopPostmaster } from './postmaster.ts'
import type { Session } from './session.ts'
import { withStartLock } from './start-lock.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

/**
 * Watches the session that makes us the only one. When it breaks, the database restarted or died: it is awaited or
 * started again at the same address, so that the connection pools of the application find it by themselves. Answers
 * how to stop.
 */
export function supervise(needs: Needs, first: Session): () => Promise<void> {
  const { places, binaries, warn } = needs
  const stopping = new AbortController()
  let session: Session | null = first
  const watching = watch()
  let stopped: Promise<void> | null = null
  return () => {
    stopped ??= stop()
    return stopped
  }

  async function watch(): Promise<void> {
    while (session && !stopping.signal.aborted) {
      await session.ended
      if (stopping.signal.aborted) return
      session = null
      warn('The connection to PostgreSQL broke; bringing it back…')
      session = await regain()
    }
  }

  async function regain(): Promise<Session | null> {
    let lastTrouble = ''
    for (
      let pause = FIRST_PAUSE_MS;
      !stopping.signal.aborted;
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    ) {
      try {
        const again = await withStartLock(places, () => bringUp(needs, first.endpoint))
        if (isSameAddress(again)) {
          warn('PostgreSQL is back')
          return again
        }
        // Another process brought it up at a port that our URL does not name, and is gone.
        await stopPostmaster(places, binaries)
      } catch (error) {
        const trouble = error instanceof Error ? error.message : String(error)
        if (trouble !== lastTrouble) warn(trouble)
        lastTrouble = trouble
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    return null
  }

  async function stop(): Promise<void> {
    stopping.abort()
    if (!session) await watching
    if (session) {
      // The lock is kept until the postmaster is gone: nobody can adopt it in between and see it die.
      await stopPostmaster(places, binaries)
      await session.client.end().catch(() => undefined)
    }
    await watching
  }

  function isSameAddress({ endpoint }: Session): boolean {
    return endpoint.host === first.endpoint.host && endpoint.port === first.endpoint.port
  }
}
