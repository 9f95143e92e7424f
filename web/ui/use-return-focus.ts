import { useRef } from 'react'

/**
 * Gives the focus back to what had it when an overlay opened. The primitive does so only for a trigger of its own;
 * an overlay opened by a shortcut or by somebody else's state would leave the keyboard nowhere. What had it may be gone
 * or disabled, for the answer made it pointless or is being carried out: `instead` then finds the next best place.
 */
export function useReturnFocus(instead?: () => HTMLElement | null) {
  const previous = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      const { activeElement, body } = document
      previous.current = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null
    },
    onCloseAutoFocus: (event: Event) => {
      const opener = previous.current
      const next = opener?.isConnected && !opener.matches(':disabled') ? opener : instead?.()
      if (!next) return
      event.preventDefault()
      next.focus()
    },
  }
}
