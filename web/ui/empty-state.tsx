import type { ReactNode } from 'react'

interface EmptyStateProps {
  drawing: ReactNode
  title: string
  text: string
  action?: ReactNode
}

/** Nothing here yet: a small drawing, one sentence, and the one thing to do about it. */
export function EmptyState({ drawing, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-5 rounded-lg border border-line border-dashed px-6 py-10 md:flex-row md:items-center md:gap-8 md:px-10 md:py-14">
      <div aria-hidden="true" className="-ml-4.5 shrink-0 text-control md:ml-0">
        {drawing}
      </div>
      <div className="grid max-w-lg justify-items-start gap-1.5">
        <h2 className="font-semibold text-lg">{title}</h2>
        <p className="text-pretty text-muted">{text}</p>
        {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  )
}
