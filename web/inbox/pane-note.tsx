import type { ReactNode } from 'react'

interface PaneNoteProps {
  drawing: ReactNode
  title: string
  text?: ReactNode
  action?: ReactNode
}

/** What a pane says when it has nothing to show: narrower than a screen's empty state, and without a frame of its own. */
export function PaneNote({ drawing, title, text, action }: PaneNoteProps) {
  return (
    <div className="grid justify-items-start gap-1.5 px-5 py-8">
      <div aria-hidden="true" className="-ml-4.5 mb-2 text-control">
        {drawing}
      </div>
      <h2 className="font-semibold text-lg">{title}</h2>
      {text && <p className="text-pretty text-muted">{text}</p>}
      {action && <div className="mt-3 grid w-full justify-items-start gap-3">{action}</div>}
    </div>
  )
}
