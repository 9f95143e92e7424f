import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { usePageTitle } from './page-title.ts'

/**
 * A part of the application that is loaded when it is first shown. React's own `lazy` keeps a part that has arrived
 * back until 300 ms after what stood in its place, and who waits for two of them waits twice; this one shows it at once.
 *
 * `whole` is a part that is all of the page, and what stands there meanwhile: where it cannot be loaded, the page has
 * failed. A screen that cannot says so in its place, and leaves alone what stands around it: there may be words that
 * are not saved yet, and whoever watches over them.
 */
export function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  whole?: { meanwhile: ReactNode },
): ComponentType<Props> {
  let Part: ComponentType<Props> | null = null
  let failures = 0

  return function LoadedLater(props: Props) {
    const [isLoaded, setLoaded] = useState(Part !== null)
    const [isLoading, setLoading] = useState(true)
    const [failure, setFailure] = useState<{ reason: unknown } | null>(null)

    useEffect(() => {
      if (isLoaded || !isLoading) return
      load().then(
        (part) => {
          Part = part
          setLoaded(true)
        },
        (reason: unknown) => {
          failures += 1
          setFailure({ reason })
          setLoading(false)
        },
      )
    }, [isLoaded, isLoading])

    if (Part) return <Part {...props} />
    if (!failure) return whole?.meanwhile ?? null
    if (whole) throw failure.reason
    return <NotLoaded isRepeated={failures > 1} isRetrying={isLoading} onRetry={() => setLoading(true)} />
  }
}

interface NotLoadedProps {
  /** Some browsers try no part a second time before the page is loaded again. */
  isRepeated: boolean
  isRetrying: boolean
  onRetry: () => void
}

function NotLoaded({ isRepeated, isRetrying, onRetry }: NotLoadedProps) {
  usePageTitle('Not loaded')
  return (
    <div role="alert" className="grid justify-items-start gap-2">
      <h1 className="font-semibold text-xl">This screen could not be loaded</h1>
      <p className="mb-4 max-w-prose text-pretty text-muted">
        {isRepeated
          ? 'There is still no connection, or Postrider was updated while this page was open. Once there is a connection, load the page again; you are asked first if something is not saved.'
          : 'There is no connection, or Postrider was updated while this page was open. Loading it again brings the new version; you are asked first if something is not saved.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant={isRepeated ? 'secondary' : 'primary'}
          pending={isRetrying}
          pendingText="Trying..."
          returnFocusTo="around"
          onClick={onRetry}
        >
          Try again
        </Button>
        <Button variant={isRepeated ? 'primary' : 'secondary'} onClick={() => window.location.reload()}>
          Load the page again
        </Button>
      </div>
    </div>
  )
}
