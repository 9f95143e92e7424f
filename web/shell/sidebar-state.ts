import { useCallback, useEffect, useState } from 'react'
import { useIsPhone } from './use-is-phone.ts'

const COOKIE = 'sidebar_state'
const COOKIE_MAX_AGE_S = 604_800

function readExpanded(): boolean {
  return !document.cookie.split('; ').includes(`${COOKIE}=false`)
}

function saveExpanded(expanded: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140
  document.cookie = `${COOKIE}=${expanded}; path=/; max-age=${COOKIE_MAX_AGE_S}; samesite=lax`
}

export interface SidebarState {
  isPhone: boolean
  /** On a wide screen: with words, or icons only. */
  expanded: boolean
  /** On a phone: the sheet is open. */
  sheetOpen: boolean
  setSheetOpen: (open: boolean) => void
  toggle: () => void
}

export function useSidebarState(): SidebarState {
  const isPhone = useIsPhone()
  const [expanded, setExpanded] = useState(readExpanded)
  const [sheetOpen, setSheetOpen] = useState(false)

  const toggle = useCallback(() => {
    if (isPhone) {
      setSheetOpen((open) => !open)
      return
    }
    setExpanded(!expanded)
    saveExpanded(!expanded)
  }, [isPhone, expanded])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || event.shiftKey || event.altKey) return
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [toggle])

  return { isPhone, expanded, sheetOpen: isPhone && sheetOpen, setSheetOpen, toggle }
}
