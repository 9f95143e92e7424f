import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { navItems } from './nav-items.ts'

/** After G the next key must come within this time, else G was just a stray press. */
const SEQUENCE_MS = 1200

/** Keys then belong to the field, the dialog or the menu. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]') !==
      null
  )
}

/** `?` shows the list; G and a letter goes to a screen. Silent while someone is typing or answering a dialog. */
export function useShortcuts(showHelp: () => void): void {
  const [, navigate] = useLocation()
  const leaderAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') {
        event.preventDefault()
        showHelp()
        return
      }
      const afterLeader = event.timeStamp - leaderAt.current < SEQUENCE_MS
      const key = event.key.toLowerCase()
      leaderAt.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const item = afterLeader ? navItems.find((candidate) => candidate.key === key) : undefined
      if (item) navigate(item.path)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [navigate, showHelp])
}
