import { useEffect, useLayoutEffect } from 'react'

let kept = 0
let isReturning = false
window.addEventListener('popstate', () => {
  isReturning = window.location.pathname === '/history'
})

/** For a link that leads back to where one was. */
export function markReturn(): void {
  isReturning = true
}

/** Who comes back to the list finds the place where the list was left; who comes anew begins at its top. */
export function useKeptScroll(): void {
  useLayoutEffect(
    () => () => {
      kept = window.scrollY
    },
    [],
  )
  useEffect(() => {
    const place = isReturning ? kept : 0
    isReturning = false
    // After the shell, which shows every screen from its top.
    const frame = requestAnimationFrame(() => place > 0 && window.scrollTo(0, place))
    return () => cancelAnimationFrame(frame)
  }, [])
}
