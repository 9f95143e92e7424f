import type { AppError } from './errors.ts'

/** Beyond this many waiting in all, or this long a wait, trying again later serves everyone better. */
const WAITING_LIMIT = 1_000
const PATIENCE_MS = 20_000

export type Turnstile = <T>(client: string, work: () => Promise<T>) => Promise<T>

type Options = {
  /** How many are let through at a time. */
  width: number
  /** What whoever cannot wait is told; `isBehindOwn`: who has brought others before. */
  refusal: (isBehindOwn: boolean) => AppError
}

type Entry = { enter: () => void; turnAway: (error: AppError) => void }

/**
 * Clients take turns, one entry each: a caller who brings a thousand waits for himself, and the next person comes after
 * one of them, not after all. When no more can wait, whoever has brought the most makes room.
 */
export function createTurnstile({ width, refusal }: Options): Turnstile {
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

  async function queueUp(client: string): Promise<void> {
    const own = queues.get(client) ?? []
    const isBehindOwn = own.length > 0
    if (waiting >= WAITING_LIMIT && !hasRoomMadeFor(own)) throw refusal(isBehindOwn)
    const { promise, resolve: enter, reject: turnAway } = Promise.withResolvers<void>()
    const entry = { enter, turnAway }
    own.push(entry)
    queues.set(client, own)
    waiting += 1
    const timer = setTimeout(() => {
      giveUp(client, entry)
      turnAway(refusal(isBehindOwn))
    }, PATIENCE_MS)
    await promise.finally(() => clearTimeout(timer))
  }

  function giveUp(client: string, entry: Entry): void {
    const queue = queues.get(client)?.filter((one) => one !== entry) ?? []
    // In its place: whose turn it is stays as it is.
    if (queue.length > 0) queues.set(client, queue)
    else queues.delete(client)
    waiting -= 1
  }

  /** Who has fewer than another is let wait in the place of that one's last. */
  function hasRoomMadeFor(own: Entry[]): boolean {
    let longest = own
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= own.length + 1) return false
    longest.pop()?.turnAway(refusal(true))
    waiting -= 1
    return true
  }

  return async (client, work) => {
    if (inside < width) inside += 1
    else await queueUp(client)
    try {
      return await work()
    } finally {
      // The place is handed on, not freed: nobody can slip in between.
      if (!letNextIn()) inside -= 1
    }
  }
}
