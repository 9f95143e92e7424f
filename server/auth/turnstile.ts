import { AppError, tooManyRequests } from '../platform/errors.ts'

/** Beyond this many waiting in all, or this long a wait, trying again later serves everyone better. */
const WAITING_LIMIT = 1_000
const PATIENCE_MS = 20_000
const AGAIN_SECONDS = 5

export type Turnstile = <T>(client: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets `width` through at a time. Clients take turns, one entry each: a caller who brings a thousand waits for
 * himself, and the next person comes after one of them, not after all.
 */
export function createTurnstile(width: number, now: () => number = () => performance.now()): Turnstile {
  /** The order of the keys is the order of turns: who was served goes to the end. */
  const queues = new Map<string, (() => void)[]>()
  let inside = 0
  let waiting = 0

  function letNextIn(): boolean {
    const [turn] = queues
    if (!turn) return false
    const [client, queue] = turn
    const enter = queue.shift()
    queues.delete(client)
    if (queue.length > 0) queues.set(client, queue)
    waiting -= 1
    enter?.()
    return true
  }

  return async (client, work) => {
    if (waiting >= WAITING_LIMIT) throw tooBusy()
    if (inside < width) inside += 1
    else {
      const came = now()
      waiting += 1
      const ownAhead = queues.get(client)
      await new Promise<void>((enter) => {
        if (ownAhead) ownAhead.push(enter)
        else queues.set(client, [enter])
      })
      if (now() - came > PATIENCE_MS) {
        leave()
        // Who has waited behind others of their own has brought too many, however busy everybody else is.
        throw ownAhead ? tooManyRequests(AGAIN_SECONDS) : tooBusy()
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
