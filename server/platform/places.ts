/** So many may be inside at once; the others wait in the order in which they came. */
type Places = { take(): Promise<{ release(): void }> }

export function createPlaces(count: number): Places {
  let free = count
  const waiting: (() => void)[] = []

  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return { release }
    },
  }
}
