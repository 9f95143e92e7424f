import type { RefObject } from 'react'

/**
 * Where the keyboard goes on: something to be found and brought into sight; a place, with the page scrolled as it is; or
 * `around`, the dialog that it was in, else the screen, which serves as well where the others are not there.
 */
export type NextFocus = (() => HTMLElement | null) | RefObject<HTMLElement | null> | 'around'

export function focusNext(next: NextFocus, from: Element | null): void {
  const found = typeof next === 'function' ? next() : null
  const place = typeof next === 'object' ? next.current : null
  const around = from?.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector('main')
  if (found) found.focus()
  // A place is as large as the screen, or beyond what somebody is reading.
  else (place ?? around)?.focus({ preventScroll: true })
}
