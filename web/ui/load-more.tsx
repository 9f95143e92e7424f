import { useEffect, useRef } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

export interface LoadMoreProps {
  hasMore: boolean
  isLoading: boolean
  /** The list itself is being read again: what is in sight waits for that. */
  isBusy?: boolean
  /** Why the last attempt failed; it is then repeated only by hand. */
  error: string | null
  onMore: () => void
}

/** A screen's height ahead, so that who scrolls seldom sees the end. */
const AHEAD_PX = 600

/** The end of a list that goes on: loads by itself when it comes into sight, and by its button. */
export function LoadMore({ hasMore, isLoading, isBusy = false, error, onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  }, [onMore])

  const isReady = hasMore && !isLoading && !isBusy && error === null
  useEffect(() => {
    const place = end.current
    if (!isReady || !place) return
    const look = () => {
      // A list that something else has taken the place of has no place of its own: it would seem to end at the top.
      if (!place.checkVisibility()) return
      if (place.getBoundingClientRect().top <= window.innerHeight + AHEAD_PX) more.current()
    }
    // Tells when it is first there, and when it is there again.
    const appearing = new ResizeObserver(look)
    appearing.observe(place)
    // Chromium's IntersectionObserver misses a jump to the end that falls into the frame of its first look.
    // Captured: a list that scrolls in a pane of its own tells nobody above.
    document.addEventListener('scroll', look, { passive: true, capture: true })
    window.addEventListener('resize', look)
    return () => {
      appearing.disconnect()
      document.removeEventListener('scroll', look, { capture: true })
      window.removeEventListener('resize', look)
    }
  }, [isReady])

  return (
    // It stays when the last of them are there: whoever asked for them goes on at the end of the list.
    <div
      ref={end}
      tabIndex={-1}
      className={classes('relative outline-none', hasMore && 'flex justify-center p-4')}
    >
      {!hasMore && !isBusy && <p className="sr-only">End of the list</p>}
      {hasMore && error === null && (
        <Button pending={isLoading} pendingText="Loading..." onClick={onMore} returnFocusTo={end}>
          Load more
        </Button>
      )}
      {hasMore && error !== null && (
        <div className="grow">
          <Alert
            tone="danger"
            title="The rest could not be loaded"
            action={
              <Button pending={isLoading} onClick={onMore} returnFocusTo={end}>
                Try again
              </Button>
            }
          >
            {error}
          </Alert>
        </div>
      )}
    </div>
  )
}
