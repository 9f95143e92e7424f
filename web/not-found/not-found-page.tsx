import { Link, useLocation } from 'wouter'
import { usePageTitle } from '../shell/page-title.ts'
import { Button } from '../ui/button.tsx'
import { SignpostDrawing } from '../ui/drawings.tsx'
import { isForSignedOut, SignedInNote } from './signed-in-note.tsx'

export function NotFoundPage() {
  usePageTitle('Page not found')
  const [path] = useLocation()
  return (
    <div className="grid min-h-[60dvh] content-center justify-items-start gap-2 md:justify-items-center md:text-center">
      <div className="mb-2 text-control">
        <SignpostDrawing />
      </div>
      <h1 className="font-semibold text-xl">404 Page Not Found</h1>
      <p className="mb-4 text-muted">Did you forget to add the page to the router?</p>
      {isForSignedOut(path) && <SignedInNote path={path} />}
      <Button asChild variant="primary">
        <Link href="/">Go to the dashboard</Link>
      </Button>
    </div>
  )
}
