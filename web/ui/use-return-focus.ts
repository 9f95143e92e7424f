import { useRef } from 'react'
import { focusNext, type NextFocus } from './next-focus.ts'

/**
 * Gives the focus back to what had it when an overlay opened. The primitive does so only for a trigger of its own;
 * an overlay opened by a shortcut or by somebody else's state would leave the keyboard nowhere. What had it may be gone
 * or disabled, for the answer made it pointless or is being carried out: then `instead` says who comes next.
 */
export function useReturnFocus(instead?: NextFocus) {
  const previous = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      const { activeElement, body } = document
      previous.current = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null
    },
    onCloseAutoFocus: (event: Event) => {
      const opener = previous.current
      if (opener === null && instead === undefined) return
      event.preventDefault()
      // Only when nobody else has taken it while the overlay went.
      if (document.activeElement !== document.body) return
      if (opener?.isConnected && !opener.matches(':disabled')) opener.focus({ preventScroll: true })
      else focusNext(instead ?? 'around', null)
    },
  }
}
