import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type AlertTone = 'info' | 'success' | 'warning' | 'danger'

const look: Record<AlertTone, { icon: LucideIcon; frame: string; mark: string }> = {
  info: { icon: Info, frame: 'border-line bg-sunken', mark: 'text-soft' },
  success: { icon: CircleCheck, frame: 'border-delivered/35 bg-delivered-soft', mark: 'text-delivered-text' },
  warning: { icon: TriangleAlert, frame: 'border-bounced/40 bg-bounced-soft', mark: 'text-bounced-text' },
  danger: { icon: CircleAlert, frame: 'border-failed/35 bg-failed-soft', mark: 'text-failed-text' },
}

interface AlertProps {
  tone?: AlertTone
  title?: string
  children: ReactNode
  action?: ReactNode
  /** Part of what the page tells, not news: a screen reader comes to it in its turn. */
  quiet?: boolean
}

/** Something to know that stays on the page, unlike a toast. */
export function Alert({ tone = 'info', title, children, action, quiet = false }: AlertProps) {
  const { icon: Icon, frame, mark } = look[tone]
  return (
    <div
      role={!quiet && (tone === 'danger' || tone === 'warning') ? 'alert' : 'note'}
      className={classes('flex items-start gap-3 rounded-md border px-4 py-3', frame)}
    >
      <Icon aria-hidden="true" className={classes('mt-0.5 size-4.5 shrink-0', mark)} />
      <div className="grid min-w-0 grow gap-0.5">
        {title && <p className={classes('font-semibold', mark)}>{title}</p>}
        <div className="text-soft">{children}</div>
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  )
}
