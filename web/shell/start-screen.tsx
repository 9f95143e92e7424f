import { BrandMark } from '../ui/brand-mark.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { usePageTitle } from './page-title.ts'

export function StartScreen() {
  return (
    <main className="grid min-h-dvh place-items-center text-muted">
      <h1 className="sr-only">Postrider</h1>
      {/* Usually gone before it would be seen: what only flashes up looks like a fault. */}
      <div className="animate-appear-late">
        <Spinner className="size-7" label="Loading Postrider" />
      </div>
    </main>
  )
}

/** The server gave no answer: neither signed in nor out is known, so neither is claimed. */
export function UnreachableScreen({ onRetry, retrying }: { onRetry: () => void; retrying: boolean }) {
  usePageTitle('No connection')
  return (
    <main className="grid min-h-dvh place-content-center justify-items-start gap-2 p-6">
      <BrandMark className="mb-3 size-10" />
      <h1 className="font-semibold text-xl">Postrider cannot be reached</h1>
      <p className="mb-4 max-w-sm text-muted">
        The server did not answer. It may be starting up, or your connection is interrupted.
      </p>
      <Button variant="primary" onClick={onRetry} pending={retrying} pendingText="Trying...">
        Try again
      </Button>
    </main>
  )
}
