import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  subtitle: string
  /** The screen's one primary action. */
  action?: ReactNode
}

export function PageHeader({ title, subtitle, action }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid gap-1">
        <h1 className="text-balance font-semibold text-xl">{title}</h1>
        <p className="text-muted">{subtitle}</p>
      </div>
      {action}
    </header>
  )
}
