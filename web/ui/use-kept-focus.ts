import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A button that was pressed loses the focus when it is disabled for the time of the work; this gives it back. */
export function useKeptFocus(button: RefObject<HTMLElement | null>, isDisabled: boolean): void {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const hasFocus = document.activeElement === button.current
    if (isDisabled) hadFocus.current ||= hasFocus
    else if (hadFocus.current) {
      hadFocus.current = false
      // Only when nobody else has taken it meanwhile.
      if (document.activeElement === document.body) button.current?.focus()
    }
  }, [button, isDisabled])
}
