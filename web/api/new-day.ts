/** How long the day of the person who looks still lasts. */
export function untilMidnight(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  return midnight.getTime() - now.getTime()
}

/** Tells whenever a new day has begun where the person is who looks; answers how to stop. */
export function onNewDay(heard: () => void): () => void {
  let today = new Date().toDateString()
  let timer = setTimeout(look, untilMidnight(new Date()))
  function look(): void {
    const now = new Date()
    timer = setTimeout(look, untilMidnight(now))
    // A timer may come a moment before the time that it was set to.
    if (now.toDateString() === today) return
    today = now.toDateString()
    heard()
  }
  return () => clearTimeout(timer)
}
