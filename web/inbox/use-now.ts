import { useSyncExternalStore } from 'react'

/** "1 min ago" is never wrong for longer than this. */
const TICK_MS = 20_000

let now = new Date()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

function tick(): void {
  now = new Date()
  for (const listener of listeners) listener()
}

/** A tab in the background sleeps, and its timers with it. */
function onVisible(): void {
  if (!document.hidden) tick()
}

function subscribe(listener: () => void): () => void {
  if (timer === null) {
    now = new Date()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', onVisible)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** One clock for all that tells how long ago something was. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now)
}
