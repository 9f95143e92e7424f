import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000
/** Looked at the clock this often, a machine that slept is told the truth at once. */
const LOOK_MS = 1_000

/** Whole minutes, the one under way included; 0 once the time has come. */
export const wholeMinutes = (leftMs: number): number => Math.max(0, Math.ceil(leftMs / MINUTE_MS))

/** Counts down to one end: give what uses it a `key` for each. */
export function useMinutesLeft(endsAt: number): number {
  const [minutes, setMinutes] = useState(() => wholeMinutes(endsAt - Date.now()))
  const isOver = minutes === 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setMinutes(wholeMinutes(endsAt - Date.now())), LOOK_MS)
    return () => clearInterval(timer)
  }, [endsAt, isOver])
  return minutes
}
