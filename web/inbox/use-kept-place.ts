import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { InboxItem } from '../../contract/inbox.ts'
import { rowOf } from './use-inbox-keys.ts'

/** The list scrolls in its pane where there are two of them, else with the page. */
function scrollerOf(list: HTMLElement): Element {
  return getComputedStyle(list).overflowY === 'auto' ? list : (document.scrollingElement ?? list)
}

/** How far below the beginning of the list; `offsetTop` stops at the row around it, which is laid out by itself. */
function depthOf(row: HTMLElement): number {
  const beginning = row.closest('ul')?.getBoundingClientRect().top ?? 0
  return row.getBoundingClientRect().top - beginning
}

/**
 * What one reads stays where it is: mail that comes in above pushes nothing down, and whoever comes back from a message
 * to the list finds the place where it was left.
 */
export function useKeptPlace(
  list: RefObject<HTMLElement | null>,
  items: readonly InboxItem[],
  openId: string | null,
): void {
  const first = useRef<{ id: string; top: number } | null>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element?.checkVisibility()) return
    const known = first.current && rowOf(element, first.current.id)
    const pushed = known && first.current ? depthOf(known) - first.current.top : 0
    const scroller = scrollerOf(element)
    // At the very top one watches what comes in.
    if (pushed > 0 && scroller.scrollTop > 0) scroller.scrollTop += pushed
    const [top] = items
    const row = top && rowOf(element, top.messageId)
    first.current = row ? { id: top.messageId, top: depthOf(row) } : null
  }, [list, items])

  const left = useRef(0)
  const isOpen = openId !== null
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return
    wasOpen.current = isOpen
    const element = list.current
    if (!element || scrollerOf(element) === element) return
    // After the shell has had its say, and the list is drawn.
    window.scrollTo(0, isOpen ? 0 : left.current)
  }, [list, isOpen])
  useEffect(() => {
    const note = () => {
      if (list.current?.checkVisibility()) left.current = window.scrollY
    }
    document.addEventListener('scroll', note, { passive: true })
    return () => document.removeEventListener('scroll', note)
  }, [list])
}
