import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { ClosedBoxDrawing, SignpostDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function NobodySuppressed({ add }: { add: ReactNode }) {
  return (
    <EmptyState
      drawing={<ClosedBoxDrawing />}
      title="Nobody Is Left Out Yet"
      text="Addresses come here by themselves: when mail to them comes back for good or again and again, when somebody reports it as spam, and when somebody unsubscribes. You can also add those you know of."
      action={add}
    />
  )
}

interface NothingMatchesProps {
  onClear: () => void
  returnFocusTo: () => HTMLElement | null
}

export function NothingMatches({ onClear, returnFocusTo }: NothingMatchesProps) {
  return (
    <div role="status">
      <EmptyState
        drawing={<SignpostDrawing />}
        title="No matching addresses"
        text="Search looks for any part of an address. Try fewer letters, or all reasons."
        action={
          <Button onClick={onClear} returnFocusTo={returnFocusTo}>
            Clear search and filter
          </Button>
        }
      />
    </div>
  )
}
