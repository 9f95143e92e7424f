/**
 * A mail that is announced behind another one waits for its answer as well. Where these come quickly that costs nothing;
 * where one does not come, the announced mail goes elsewhere, and the connection has no use beyond that answer.
 */
const QUICK_MS = 1_000
export const ANNOUNCED_MS = 3_000

/** How a relay answers to whole texts, and whether another mail may be announced behind one. */
type Patience = {
  dotWritten(): void
  dotAnswered(): void
  mayAnnounce(): boolean
  /** Since the last dot, in milliseconds. */
  waited(): number
  /** An announced mail was taken back: the relay will ask for its text, and must not get any. */
  breakPromise(): void
  isPromiseBroken(): boolean
}

export function createPatience(): Patience {
  let dotAt = performance.now()
  let isQuick = true
  let isBroken = false
  const waited = (): number => performance.now() - dotAt

  return {
    dotWritten() {
      dotAt = performance.now()
    },
    dotAnswered() {
      isQuick = waited() < QUICK_MS
    },
    mayAnnounce: () => isQuick && !isBroken,
    waited,
    breakPromise() {
      isBroken = true
    },
    isPromiseBroken: () => isBroken,
  }
}
