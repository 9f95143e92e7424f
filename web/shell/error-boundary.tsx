import { Component, type ReactNode } from 'react'
import { BrandMark } from '../ui/brand-mark.tsx'
import { Button } from '../ui/button.tsx'

/**
 * A screen that breaks must not leave a white page. The usual cause is harmless: Postrider was updated while the tab
 * was open and a part of the old version is gone; loading the page again brings the new one.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <main className="grid min-h-dvh place-content-center justify-items-start gap-2 p-6">
        <BrandMark className="mb-3 size-10" />
        <h1 className="font-semibold text-xl">This page stopped working</h1>
        <p className="mb-4 max-w-sm text-muted">
          Postrider may have been updated while the page was open. Loading it again usually helps.
        </p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </main>
    )
  }
}
