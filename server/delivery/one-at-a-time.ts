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
    do {
      isAskedAgain = false
      await work()
    } while (isAskedAgain)
  }

  return {
    ask() {
      isAskedAgain = true
      underWay ??= workOff().finally(() => {
        underWay = null
      })
      return underWay
    },
    underWay: () => underWay,
  }
}
