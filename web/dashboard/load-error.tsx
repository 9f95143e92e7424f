import { messageOf } from '../api/client.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

interface LoadErrorProps {
  /** For example "Your activity". */
  what: string
  query: { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> }
}

/** One part of the screen is missing; the others stand. */
export function LoadError({ what, query }: LoadErrorProps) {
  return (
    <div className="self-start">
      <Alert
        tone="danger"
        title={`${what} could not be loaded`}
        action={
          <Button onClick={() => void query.refetch()} pending={query.isFetching} pendingText="Trying...">
            Try again
          </Button>
        }
      >
        {messageOf(query.error)}
      </Alert>
    </div>
  )
}
