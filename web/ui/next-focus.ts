import type { RefObject } from 'react'

/**
 * Where the keyboard goes on: a place, with the page scrolled as it is; something to be found and brought into sight; or
 * `around`, the dialog that it leaves or the screen, which serves as well where the others are not there.
 */
export type NextFocus = 'around' | RefObject<HTMLElement | null> | (() => HTMLElement | null)

export function focusNext(next: NextFocus, from: Element | null): void {
  const found = typeof next === 'function' ? next() : null
  const place = typeof next === 'object' ? next.current : null
  const around = from?.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector('main')
  if (found) found.focus()
  // As large as the screen, or larger: it would be scrolled to its edge.
  else (place ?? around)?.focus({ preventScroll: true })
}
