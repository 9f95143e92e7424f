import { useRef } from 'react'

/**
 * Gives the focus back to what had it when an overlay opened. The primitive does so only for a trigger of its own;
 * an overlay opened by a shortcut or by somebody else's state would leave the keyboard nowhere.
 */
export function useReturnFocus() {
  const previous = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      previous.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    onCloseAutoFocus: (event: Event) => {
      if (!previous.current?.isConnected) return
      event.preventDefault()
      previous.current.focus()
    },
  }
}
