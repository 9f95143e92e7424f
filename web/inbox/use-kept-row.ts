import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { InboxItem } from '../../contract/inbox.ts'
import { focusNext } from '../ui/next-focus.ts'
import { rowOf } from './use-inbox-keys.ts'

/**
 * When a message is closed, or a row goes that had the focus, the keyboard stays in the list: at that row, else at the
 * one that has taken its place, or on the screen where there is none.
 */
export function useKeptRow(
  list: RefObject<HTMLElement | null>,
  items: readonly InboxItem[],
  openId: string | null,
): void {
  const last = useRef<{ id: string; index: number } | null>(null)
  const wasOpen = useRef(openId)

  // Before anybody can focus one of these rows: of another list it would have no place.
  useLayoutEffect(() => {
    const element = list.current
    const note = (event: FocusEvent) => {
      const id = event.target instanceof HTMLElement ? event.target.dataset['message'] : undefined
      if (id) last.current = { id, index: items.findIndex(({ messageId }) => messageId === id) }
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [list, items])

  useLayoutEffect(() => {
    const isClosed = wasOpen.current !== null && openId === null
    wasOpen.current = openId
    const index = items.findIndex(({ messageId }) => messageId === openId)
    if (openId !== null && index >= 0) last.current = { id: openId, index }
    const kept = last.current
    const isGone = kept !== null && !items.some(({ messageId }) => messageId === kept.id)
    // Nowhere: on the page, or on what holds all of the list.
    if (openId !== null || !(isClosed || isGone) || !document.activeElement?.contains(list.current)) return
    const next = isGone ? items[Math.min(kept.index, items.length - 1)]?.messageId : kept?.id
    last.current = null
    focusNext(() => (next === undefined ? null : rowOf(list.current, next)), list.current)
  }, [list, items, openId])
}
