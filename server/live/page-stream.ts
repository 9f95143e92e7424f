import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

export type Pace = {
  /** A comment now and then keeps proxies from closing a quiet stream. */
  heartbeatMs: number
  /** The browser then connects again, and proves again who it is. */
  lifetimeMs: number
  /** How long a stream that is ended has for its last bytes; shorter than closing waits for requests. */
  farewellMs: number
  /** In bytes. Hundreds of events: a page that is so far behind does better to come back and read what is there. */
  unsentLimit: number
}

export const PACE: Pace = {
  heartbeatMs: 15_000,
  lifetimeMs: 10 * 60_000,
  farewellMs: 5_000,
  unsentLimit: 64 * 1024,
}

/**
 * Whether whoever opened the page may still be told something. A stream outlives the request that showed its session,
 * which may end at any time: by signing out, or by a new password.
 */
export type MayHear = () => Promise<boolean>

/** The way to one open page. Its other end may stop reading at any time, and must cost this process nothing then. */
export type PageStream = {
  /** Answers false where there is nobody to tell any more. */
  open(headers: OutgoingHttpHeaders): boolean
  isOpen(): boolean
  /** Ends it instead where nothing may be told any more. */
  tell(text: string): Promise<void>
  /** The page comes back, and reads what it was not told. */
  end(): void
}

export function createPageStream(response: ServerResponse, pace: Pace, mayHear: MayHear): PageStream {
  let isEnded = false
  const timers: NodeJS.Timeout[] = []
  const isOpen = () => response.headersSent && !isEnded

  // Without a listener an error on the way to one page would end the process.
  response.on('error', () => response.destroy())
  response.on('close', () => {
    isEnded = true
    clearTimers()
  })

  function clearTimers(): void {
    for (const timer of timers.splice(0)) clearTimeout(timer)
  }

  async function tell(text: string): Promise<void> {
    if (await mayHear()) write(text)
    else end()
  }

  function write(text: string): void {
    if (!isOpen()) return
    // By what is left of earlier events: one that is long by itself is no sign of a page that has stopped reading.
    if (response.writableLength > pace.unsentLimit) response.destroy()
    else response.write(text)
  }

  function end(): void {
    const wasOpen = isOpen()
    isEnded = true
    if (!wasOpen) return
    clearTimers()
    response.end()
    // Of a page that does not read, the end waits behind what is unsent, for ever.
    timers.push(setTimeout(() => response.destroy(), pace.farewellMs))
  }

  return {
    open(headers) {
      if (isEnded || response.destroyed) {
        response.destroy()
        return false
      }
      response.writeHead(200, headers)
      write('retry: 2000\n\n')
      timers.push(
        setInterval(() => tell(': still here\n\n').catch(end), pace.heartbeatMs),
        setTimeout(end, pace.lifetimeMs),
      )
      return true
    },
    isOpen,
    tell,
    end,
  }
}
