import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'

/** A finger high; all rows are, so that their place can be reckoned instead of measured. */
const ROW = 44
/** Rows drawn beyond the edges, for a quick wheel. */
const MARGIN = 6
/** Before the first measure. */
const USUAL_HEIGHT = 352

interface VirtualListProps {
  label: string
  count: number
  /** Stays with a row when those above it go. */
  keyOf: (index: number) => string
  /** A row has one control, which the arrow keys move between. */
  children: (index: number) => ReactNode
  className?: string
}

/** A list of any length of which only what is in sight is drawn. */
export function VirtualList({ label, count, keyOf, children, className }: VirtualListProps) {
  const box = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const focused = useRef<number | null>(null)
  const height = box.current?.clientHeight || USUAL_HEIGHT
  const first = Math.max(0, Math.min(Math.floor(top / ROW), count) - MARGIN)
  const last = Math.min(count, Math.ceil((top + height) / ROW) + MARGIN)

  const focusRow = (index: number) =>
    box.current?.querySelector<HTMLElement>(`[data-row="${index}"] :is(button, a)`)?.focus()

  useLayoutEffect(() => {
    // The row that had the focus is gone: the one that took its place gets it.
    if (focused.current === null || document.activeElement !== document.body) return
    focusRow(Math.min(focused.current, count - 1))
  })

  const goTo = (index: number) => {
    const list = box.current
    if (!list) return
    const [from, to] = [index * ROW, (index + 1) * ROW]
    if (from < list.scrollTop) list.scrollTop = from
    else if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight
    setTop(list.scrollTop)
    // Once it is drawn.
    requestAnimationFrame(() => focusRow(index))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement && event.target.closest<HTMLElement>('[data-row]')
    if (!row) return
    const index = Number(row.dataset['row'])
    const page = Math.max(1, Math.floor(height / ROW) - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const step = steps[event.key]
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : step === undefined ? null : index + step
    if (next === null) return
    event.preventDefault()
    goTo(Math.max(0, Math.min(count - 1, next)))
  }

  return (
    <ul
      ref={box}
      aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const row = event.target.closest<HTMLElement>('[data-row]')
        focused.current = row ? Number(row.dataset['row']) : null
      }}
      onBlur={(event) => {
        // Without a next element the row may just have been taken away.
        if (event.relatedTarget) focused.current = null
      }}
      className={classes('relative overflow-y-auto overscroll-contain', className)}
    >
      <li aria-hidden="true" style={{ height: count * ROW }} />
      {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
        const index = first + offset
        return (
          <li
            key={keyOf(index)}
            data-row={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 flex h-11 items-center"
            style={{ transform: `translateY(${index * ROW}px)` }}
          >
            {children(index)}
          </li>
        )
      })}
    </ul>
  )
}
