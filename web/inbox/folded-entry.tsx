import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { Ago } from './ago.tsx'
import { shownLine } from './shown-text.ts'

interface FoldedEntryProps {
  who: string
  timestamp: string
  preview: string
  /** Beside the time, such as what became of a mail. */
  aside?: ReactNode
  /** Made when it is opened. */
  children: () => ReactNode
}

/** A mail in one line, which opens below itself. */
export function FoldedEntry({ who, timestamp, preview, aside, children }: FoldedEntryProps) {
  const [isOpen, setIsOpen] = useState(false)
  const contentId = useId()
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-x-2.5 px-5 py-1.5 text-left text-sm -outline-offset-2 transition-colors hover:bg-sunken"
      >
        <ChevronRight
          aria-hidden="true"
          className={classes('size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
        />
        <span className="flex min-w-0 grow flex-wrap items-center gap-x-2.5">
          <bdi className="max-w-full truncate font-medium">{who}</bdi>
          <span dir="auto" className="min-w-0 grow basis-24 truncate text-muted">
            {shownLine(preview)}
          </span>
        </span>
        {aside}
        <Ago date={timestamp} className="shrink-0 text-muted text-xs" />
      </button>
      {isOpen && (
        <div id={contentId} className="grid grid-cols-1 gap-4 px-5 pt-3 pb-5">
          {children()}
        </div>
      )}
    </>
  )
}
