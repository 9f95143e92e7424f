import { type RefObject, useLayoutEffect } from 'react'

/** Where the keyboard was when a view gave way to the next one. */
export type FocusRelay = RefObject<'inside' | 'nowhere' | 'elsewhere'>

interface RelayOptions {
  view: RefObject<HTMLElement | null>
  /** A selector: what of the view takes it. */
  landing: string
  /** It comes only when somebody asks for it; the button that they pressed was disabled then, and has lost the focus. */
  isAnswer?: boolean
}

/** A view in the place of another takes the focus over, if it was there; nobody is called away from elsewhere. */
export function useFocusRelay(relay: FocusRelay, { view, landing, isAnswer = false }: RelayOptions): void {
  useLayoutEffect(() => {
    const place = relay.current
    const shown = view.current
    if (place === 'inside' || (place === 'nowhere' && isAnswer))
      shown?.querySelector<HTMLElement>(landing)?.focus()
    relay.current = 'elsewhere'
    // Of a view that goes this runs while it still stands in the page.
    return () => {
      const focused = document.activeElement
      const isNowhere = focused === null || focused === document.body
      relay.current = shown?.contains(focused) ? 'inside' : isNowhere ? 'nowhere' : 'elsewhere'
    }
  }, [relay, view, landing, isAnswer])
}
