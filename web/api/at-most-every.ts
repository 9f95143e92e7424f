/** Acts at once, and then no more often than `milliseconds`; the last call is never lost. */
export function atMostEvery(milliseconds: number, act: () => void): (() => void) & { cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let isDue = false
  const call = () => {
    if (timer !== null) {
      isDue = true
      return
    }
    act()
    timer = setTimeout(() => {
      timer = null
      if (!isDue) return
      isDue = false
      call()
    }, milliseconds)
  }
  return Object.assign(call, {
    cancel: () => {
      if (timer !== null) clearTimeout(timer)
    },
  })
}
