import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * A button that was pressed loses the focus when it is disabled for the time of the work; this gives it back. A button
 * that goes takes the focus with it, for example when the work has made it pointless: `instead` then finds the next best
 * place.
 */
export function useKeptFocus(
  button: RefObject<HTMLElement | null>,
  isDisabled: boolean,
  instead?: () => HTMLElement | null,
): void {
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

  const next = useRef(instead)
  useLayoutEffect(() => {
    next.current = instead
  })
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      const focused = document.activeElement
      const isLost = focused === element || (hadFocus.current && focused === document.body)
      if (element && isLost) next.current?.()?.focus()
    }
  }, [button])
}
