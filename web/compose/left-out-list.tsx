import { useState } from 'react'
import { Link } from 'wouter'
import { Popover } from '../ui/popover.tsx'
import { textLink } from '../ui/text-link.ts'
import { inWords } from '../ui/words.ts'
import type { Recipient } from './recipient-address.ts'

const SHOWN = 20

/** How many are left out; behind it, who. */
export function LeftOutList({ leftOut }: { leftOut: readonly Recipient[] }) {
  const [open, setOpen] = useState(false)
  const rest = leftOut.length - SHOWN
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Suppressed and left out"
      align="start"
      className="grid w-80 max-w-[calc(100vw-2rem)] gap-3 p-4"
      trigger={
        // A finger high: its room lies above, for below it the buttons begin.
        <button
          type="button"
          className="-mt-4.5 -mb-1.5 rounded-sm pt-4.5 pb-1.5 font-medium underline decoration-control/60 decoration-dotted underline-offset-4 hover:decoration-ink"
        >
          {inWords(leftOut.length)} suppressed and left out
        </button>
      }
    >
      <p className="text-muted text-sm">They are on your suppression list. Sending leaves them out.</p>
      <ul className="grid gap-1 text-sm">
        {leftOut.slice(0, SHOWN).map(({ key, text }) => (
          <li key={key} className="wrap-anywhere">
            {text}
          </li>
        ))}
        {rest > 0 && <li className="text-muted">and {inWords(rest)} more</li>}
      </ul>
      <p className="text-sm">
        <Link href="/suppressions" className={textLink}>
          Suppression List
        </Link>
      </p>
    </Popover>
  )
}
