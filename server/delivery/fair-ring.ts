/**
 * Takes turns: first between users, then between each user's campaigns, so that a million recipients of one wait for
 * the single mail of another and not the other way round.
 */
type FairRing<T> = {
  add(userId: string, item: T): void
  remove(userId: string, item: T): void
  /** The next item whose turn it is and that `wants` to be served; it then goes to the end of both rows. */
  next(wants: (item: T) => boolean): T | null
  all(): Iterable<T>
  readonly size: number
}

export function createFairRing<T>(): FairRing<T> {
  // Maps remember the order of insertion: taking out and putting back is going to the end of the row.
  const users = new Map<string, Set<T>>()
  let size = 0

  return {
    add(userId, item) {
      const items = users.get(userId) ?? new Set<T>()
      if (!items.has(item)) size += 1
      users.set(userId, items.add(item))
    },
    remove(userId, item) {
      const items = users.get(userId)
      if (items?.delete(item)) size -= 1
      if (items?.size === 0) users.delete(userId)
    },
    next(wants) {
      for (const [userId, items] of users) {
        for (const item of items) {
          if (!wants(item)) continue
          items.delete(item)
          items.add(item)
          users.delete(userId)
          users.set(userId, items)
          return item
        }
      }
      return null
    },
    *all() {
      for (const items of users.values()) yield* items
    },
    get size() {
      return size
    },
  }
}
