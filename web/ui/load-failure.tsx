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
  return (
    <Alert
      tone="danger"
      title={title}
      action={
        <Button pending={isRetrying} pendingText="Trying..." onClick={onRetry} returnFocusTo="around">
          Try again
        </Button>
      }
    >
      {reason}
    </Alert>
  )
}
