import { type RefObject, useLayoutEffect, useRef } from 'react'
import { focusNext, type NextFocus } from './next-focus.ts'

interface KeptFocusOptions {
  isDisabled: boolean
  /** Disabled for the time of the work, and of use again after it. */
  isPending: boolean
  next: NextFocus | undefined
}

/**
 * A button that was pressed loses the focus when it is disabled for the time of the work; this gives it back. A button
 * that goes takes the focus with it, for example when the work has made it pointless, and so does one that stays
 * disabled: `next` says where the keyboard goes on then.
 */
export function useKeptFocus(
  button: RefObject<HTMLElement | null>,
  { isDisabled, isPending, next }: KeptFocusOptions,
): void {
  const latest = useRef(next)
  useLayoutEffect(() => {
    latest.current = next
  })

  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const element = button.current
    const focused = document.activeElement
    if (isDisabled) hadFocus.current ||= focused === element
    const isWaiting = isPending || (isDisabled && latest.current === undefined)
    if (!element || !hadFocus.current || isWaiting) return
    hadFocus.current = false
    // Only when nobody else has taken it meanwhile.
    if (focused !== document.body && focused !== element) return
    if (!isDisabled) element.focus()
    else if (latest.current) focusNext(latest.current, element)
  }, [button, isDisabled, isPending])

  useLayoutEffect(() => {
    const element = button.current
    // Of a button that goes this runs while it still stands in the page.
    return () => {
      const focused = document.activeElement
      const isLost = focused === element || (hadFocus.current && focused === document.body)
      if (element && isLost && latest.current) focusNext(latest.current, element)
    }
  }, [button])
}
