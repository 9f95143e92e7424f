import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
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

/** Somebody reads further down, or is about to press a row. */
const isInUse = (list: HTMLElement): boolean =>
  scrollerOf(list).scrollTop > 0 || list.matches(':hover') || list.contains(document.activeElement)

/**
 * What one reads stays where it is: mail that comes in above pushes nothing down. Answers how much of it is out of sight
 * by that, until one has seen the top again.
 */
export function useKeptPlace(list: RefObject<HTMLElement | null>, items: readonly InboxItem[]) {
  const first = useRef<{ id: string; depth: number } | null>(null)
  const [above, setAbove] = useState(0)

  useLayoutEffect(() => {
    const element = list.current
    if (!element?.checkVisibility()) return
    const known = first.current && rowOf(element, first.current.id)
    const pushed = known && first.current ? depthOf(known) - first.current.depth : 0
    if (pushed > 0 && isInUse(element)) {
      const scroller = scrollerOf(element)
      scroller.scrollTop += pushed
      const came = items.findIndex(({ messageId }) => messageId === first.current?.id)
      // A short list cannot give way, and then everything is in sight.
      if (scroller.scrollTop > 0) setAbove((count) => count + came)
    }
    if (!known) setAbove(0)
    const [top] = items
    const row = top && rowOf(element, top.messageId)
    first.current = row ? { id: top.messageId, depth: depthOf(row) } : null
  }, [list, items])

  useEffect(() => {
    const look = () => {
      const element = list.current
      if (element && scrollerOf(element).scrollTop === 0) setAbove(0)
    }
    document.addEventListener('scroll', look, { passive: true, capture: true })
    return () => document.removeEventListener('scroll', look, { capture: true })
  }, [list])

  return {
    above,
    toTop: () => {
      if (list.current) scrollerOf(list.current).scrollTop = 0
      list.current?.querySelector<HTMLElement>('[data-message]')?.focus()
    },
  }
}

/** On a phone whoever comes back from a message to the list finds the place where it was left. */
export function useKeptScroll(list: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const left = useRef(0)
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return
    wasOpen.current = isOpen
    const element = list.current
    if (!element || scrollerOf(element) === element) return
    window.scrollTo(0, isOpen ? 0 : left.current)
  }, [list, isOpen])
  useEffect(() => {
    const note = () => {
      if (list.current?.checkVisibility()) left.current = window.scrollY
    }
    // Whoever is quick opens a message before the page has told that it was scrolled.
    const signs = ['scroll', 'click', 'keydown'] as const
    for (const sign of signs) document.addEventListener(sign, note, { passive: true, capture: true })
    return () => {
      for (const sign of signs) document.removeEventListener(sign, note, { capture: true })
    }
  }, [list])
}
