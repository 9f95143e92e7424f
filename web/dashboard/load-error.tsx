import { messageOf } from '../api/client.ts'
import { LoadFailure } from '../ui/load-failure.tsx'

interface LoadErrorProps {
  /** For example "Your activity". */
  what: string
  query: { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> }
}

/** One part of the screen is missing; the others stand. */
export function LoadError({ what, query }: LoadErrorProps) {
  return (
    <div className="self-start">
      <LoadFailure
        title={`${what} could not be loaded`}
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    </div>
  )
}
