/** Where calls wait until the test lets them through: no clock decides what is still under way, however slow the machine. */
export type Gate = {
  /** For whoever comes: settles once it is let through. */
  pass(): Promise<void>
  /** Lets so many through, of those who wait and then of those who come. */
  letThrough(count: number): void
  open(): void
  shut(): void
}

/** Open at first. */
export function createGate(): Gate {
  const waiting: (() => void)[] = []
  let free = Number.POSITIVE_INFINITY

  function letThrough(count: number): void {
    free += count
    while (free > 0 && waiting.length > 0) {
      free -= 1
      waiting.shift()?.()
    }
  }

  return {
    pass() {
      if (free < 1) return new Promise((resolve) => waiting.push(resolve))
      free -= 1
      return Promise.resolve()
    },
    letThrough,
    open: () => letThrough(Number.POSITIVE_INFINITY),
    shut() {
      free = 0
    },
  }
}
