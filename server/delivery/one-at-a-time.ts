type OneAtATime = {
  /** Does it, and once more after that for whoever asks meanwhile. */
  ask(): Promise<void>
  underWay(): Promise<void> | null
}

/** Work that takes in everything there is to do: two of it at once would do the same. */
export function oneAtATime(work: () => Promise<void>): OneAtATime {
  let underWay: Promise<void> | null = null
  let isAskedAgain = false

  async function workOff(): Promise<void> {
    try {
      do {
        isAskedAgain = false
        await work()
      } while (isAskedAgain)
    } finally {
      // In the same turn as the last look: whoever asks after it begins anew.
      underWay = null
    }
  }

  return {
    ask() {
      isAskedAgain = true
      underWay ??= workOff()
      return underWay
    },
    underWay: () => underWay,
  }
}
