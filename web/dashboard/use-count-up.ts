import { useEffect, useRef, useState } from 'react'

/** Short enough to be over before the next count arrives. */
const COUNT_MS = 180

/** The number to show on the way to `target`. The first one is there at once; only a change is counted. */
export function useCountUp(target: number): number {
  const [shown, setShown] = useState(target)
  const latest = useRef(target)
  useEffect(() => {
    const start = latest.current
    const show = (value: number) => {
      latest.current = value
      setShown(value)
    }
    if (start === target) return
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return show(target)
    const began = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const share = (now - began) / COUNT_MS
      show(onTheWay(start, target, share))
      if (share < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [target])
  return shown
}

/** Quick at first, slower towards the end, and never beyond it. */
export function onTheWay(start: number, target: number, share: number): number {
  if (share >= 1) return target
  const left = 1 - Math.max(0, share)
  return target - (target - start) * left * left
}
