import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'

/** Back to where one came from: the history says so itself, everybody else comes from the settings. */
export function BackLink() {
  const [isFromHistory] = useState(
    () => (window.history.state as { from?: unknown } | null)?.from === 'history',
  )
  return (
    <Link
      href={isFromHistory ? '/history' : '/settings'}
      className="-mt-2 mb-2 inline-flex min-h-11 items-center gap-1.5 rounded-sm font-medium text-muted text-sm hover:text-ink md:min-h-8"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {isFromHistory ? 'Email History' : 'Settings'}
    </Link>
  )
}
