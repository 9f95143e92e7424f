import { AppError, tooManyRequests } from '../platform/errors.ts'

/** Beyond this many waiting in all, or this long a wait, trying again later serves everyone better. */
const WAITING_LIMIT = 1_000
const PATIENCE_MS = 20_000
const AGAIN_SECONDS = 5

export type Turnstile = <T>(client: string, work: () => Promise<T>) => Promise<T>

type Entry = { enter: () => void; turnAway: (error: AppError) => void }

/**
 * Lets `width` through at a time. Clients take turns, one entry each: a caller who brings a thousand waits for
 * himself, and the next person comes after one of them, not after all. When no more can wait, whoever has brought the
 * most makes room.
 */
export function createTurnstile(width: number, now: () => number = () => performance.now()): Turnstile {
  /** The order of the keys is the order of turns: who was served goes to the end. */
  const queues = new Map<string, Entry[]>()
  let inside = 0
  let waiting = 0

  function letNextIn(): boolean {
    const [turn] = queues
    if (!turn) return false
    const [client, queue] = turn
    const next = queue.shift()
    queues.delete(client)
    if (queue.length > 0) queues.set(client, queue)
    waiting -= 1
    next?.enter()
    return true
  }

  function queueUp(client: string, entry: Entry): void {
    const own = queues.get(client) ?? []
    if (waiting >= WAITING_LIMIT && !hasRoomMadeFor(own)) {
      entry.turnAway(own.length > 0 ? tooManyRequests(AGAIN_SECONDS) : tooBusy())
      return
    }
    own.push(entry)
    queues.set(client, own)
    waiting += 1
  }

  /** Who has fewer than another is let wait in the place of that one's last. */
  function hasRoomMadeFor(own: Entry[]): boolean {
    let longest = own
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= own.length + 1) return false
    longest.pop()?.turnAway(tooManyRequests(AGAIN_SECONDS))
    waiting -= 1
    return true
  }

  return async (client, work) => {
    if (inside < width) inside += 1
    else {
      const came = now()
      const hasOwnAhead = queues.has(client)
      await new Promise<void>((enter, turnAway) => queueUp(client, { enter, turnAway }))
      if (now() - came > PATIENCE_MS) {
        leave()
        // Who has waited behind others of their own has brought too many, however busy everybody else is.
        throw hasOwnAhead ? tooManyRequests(AGAIN_SECONDS) : tooBusy()
      }
    }
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** The place is handed on, not freed: nobody can slip in between. */
  function leave(): void {
    if (!letNextIn()) inside -= 1
  }
}

const tooBusy = () =>
  new AppError(503, 'Too many people are signing in at this moment. Please try again in a few seconds', {
    headers: { 'retry-after': String(AGAIN_SECONDS) },
  })
