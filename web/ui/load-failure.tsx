import { useLayoutEffect, useRef } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'

interface LoadFailureProps {
  title: string
  /** In the server's words. */
  reason: string
  isRetrying?: boolean
  onRetry: () => void
}

/** Stands where something would be that could not be loaded. */
export function LoadFailure({ title, reason, isRetrying = false, onRetry }: LoadFailureProps) {
  const place = useRef<HTMLSpanElement>(null)
  useLeftPlace(place)
  return (
    <Alert
      tone="danger"
      title={title}
      action={
        <span ref={place}>
          <Button pending={isRetrying} pendingText="Trying..." onClick={onRetry}>
            Try again
          </Button>
        </span>
      }
    >
      {reason}
    </Alert>
  )
}

/** What has the keyboard is about to go: it stays on the screen, or in the dialog, instead of going back to the top. */
function useLeftPlace(place: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const left = place.current
    return () => {
      if (left?.contains(document.activeElement))
        left.closest<HTMLElement>('[role="dialog"], main')?.focus({ preventScroll: true })
    }
  }, [place])
}
