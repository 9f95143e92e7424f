import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

/** Rows kept beyond each edge of the screen: the next ones that the Tab key or a turn of the wheel will reach. */
const BEYOND = 12

interface RowWindow {
  start: number
  end: number
  /** The room of the rows that are not there. */
  before: number
  after: number
}

/** Which of `count` rows, each `height` high and the first at `top` of the screen, must be in the page. */
export function rowsInSight(count: number, height: number, top: number, screen: number): RowWindow {
  const first = Math.floor(-top / height) - BEYOND
  const last = Math.ceil((screen - top) / height) + BEYOND
  // One at least, for it tells how high they are.
  const start = Math.max(0, Math.min(first, count - 1))
  const end = Math.min(count, Math.max(start + 1, last))
  return { start, end, before: start * height, after: (count - end) * height }
}

const isSame = (one: RowWindow, other: RowWindow): boolean =>
  one.start === other.start &&
  one.end === other.end &&
  one.before === other.before &&
  one.after === other.after

/**
 * Lets a list of any length have only the rows in sight in the page. All rows must be equally high; how high is
 * measured from one with the attribute `data-row`, for it differs with the width of the screen.
 */
export function useRowWindow(list: RefObject<HTMLElement | null>, count: number, guess: number): RowWindow {
  const [shown, setShown] = useState(() => rowsInSight(count, guess, 0, window.innerHeight))

  const measure = useCallback(() => {
    const element = list.current
    if (!element) return
    const height = element.querySelector('[data-row]')?.getBoundingClientRect().height || guess
    const next = rowsInSight(count, height, element.getBoundingClientRect().top, window.innerHeight)
    setShown((known) => (isSame(known, next) ? known : next))
  }, [list, count, guess])

  useLayoutEffect(() => {
    measure()
    window.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(document.documentElement)
    if (list.current) observer.observe(list.current)
    return () => {
      window.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [measure, list])

  return shown
}
