/** Well under a frame: between two slices the browser draws, and answers the keyboard. */
const SLICE_MS = 8
/** A look at the clock costs more than reading one entry. */
const BETWEEN_LOOKS = 64

/** Lets the browser do what waits, then goes on. Not a timer, for a hidden page's timers run once a second. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/** Takes all items, in slices that never hold up a frame. Ends early, with false, once `isStopped` says so. */
export async function inSlices<T>(
  items: Iterable<T>,
  take: (item: T) => void,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  let end = performance.now() + SLICE_MS
  let count = 0
  for (const item of items) {
    take(item)
    if (++count % BETWEEN_LOOKS !== 0 || performance.now() < end) continue
    await breathe()
    if (isStopped()) return false
    end = performance.now() + SLICE_MS
  }
  return !isStopped()
}
