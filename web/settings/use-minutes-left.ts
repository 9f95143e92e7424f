import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000
/** A machine that slept may have let its timers sleep as well: the clock is looked at more often than minutes change. */
const LOOK_MS = 15_000

/** Whole minutes, the one under way included; 0 once the time has come. */
export const wholeMinutes = (leftMs: number): number => Math.max(0, Math.ceil(leftMs / MINUTE_MS))

/** Counts down to one end: give what uses it a `key` for each. */
export function useMinutesLeft(endsAt: number): number {
  const [now, setNow] = useState(Date.now)
  const leftMs = endsAt - now
  useEffect(() => {
    if (leftMs <= 0) return
    const look = () => setNow(Date.now())
    const timer = setTimeout(look, Math.min(LOOK_MS, leftMs % MINUTE_MS || MINUTE_MS))
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [leftMs])
  return wholeMinutes(leftMs)
}
