import { whileSeen } from './while-seen.ts'

/** Doubled after each refusal, up to the second. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/**
 * Keeps a stream of news open until the returned function closes it. When the line is cut the browser opens it again by
 * itself; when something answers in the server's place, as a proxy does during a restart, it gives up for good. That is
 * made good here: `attach` gets each source, to listen to it. `onClosed` hears that none is wanted for a while, or ever.
 *
 * A tab that nobody looks at keeps none: by plain HTTP a browser has six lines to a server, for all its tabs together, and
 * where six streams hold them no other tab loads and no button is answered.
 */
export function keepOpen(
  path: string,
  attach: (source: EventSource) => void,
  onClosed: () => void,
): () => void {
  let waitMs = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | undefined

  function open(): void {
    const opened = new EventSource(path)
    source = opened
    attach(opened)
    opened.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, waitMs)
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    })
  }

  function close(): void {
    clearTimeout(timer)
    source?.close()
    onClosed()
  }

  return whileSeen(open, close)
}
