/** Doubled after each refusal, up to the second. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/**
 * Keeps a stream of news open until the returned function closes it. When the line is cut the browser opens it again by
 * itself; when something answers in the server's place, as a proxy does during a restart, it gives up for good. That is
 * made good here: `attach` gets each source, to listen to it.
 */
export function keepOpen(path: string, attach: (source: EventSource) => void): () => void {
  let waitMs = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let source = open()

  function open(): EventSource {
    const opened = new EventSource(path)
    attach(opened)
    opened.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      timer = setTimeout(() => {
        source = open()
      }, waitMs)
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    })
    return opened
  }

  return () => {
    clearTimeout(timer)
    source.close()
  }
}
