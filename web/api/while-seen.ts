/** Who only looks into another tab for a moment keeps everything as it is. */
const UNSEEN_MS = 10_000

/**
 * Begins when somebody looks at the page, ends when nobody has for a while, and begins again when somebody does, until
 * the returned function ends it for good. A page that is opened in the background begins when it is first looked at. One
 * that is left ends at once: the browser may keep it as it is, to show it again when somebody goes back.
 */
export function whileSeen(begin: () => void, end: () => void): () => void {
  let isOn = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function start(): void {
    clearTimeout(timer)
    if (isOn) return
    isOn = true
    begin()
  }

  function stop(): void {
    clearTimeout(timer)
    if (!isOn) return
    isOn = false
    end()
  }

  function look(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') start()
    else timer = setTimeout(stop, UNSEEN_MS)
  }

  document.addEventListener('visibilitychange', look)
  window.addEventListener('pageshow', look)
  window.addEventListener('pagehide', stop)
  look()

  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('pageshow', look)
    window.removeEventListener('pagehide', stop)
    stop()
  }
}
