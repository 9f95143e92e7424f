import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import { LedgerDrawing, SignpostDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function NothingSent() {
  return (
    <EmptyState
      drawing={<LedgerDrawing />}
      title="No Email History"
      text="Your sent emails will appear here"
      action={
        <Button asChild variant="primary">
          <Link href="/compose">Compose Email</Link>
        </Button>
      }
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
        title="No matching emails"
        text="Search looks at subjects, and at the beginning of recipients’ addresses. Try other words or fewer filters."
        action={
          <Button onClick={onClear} returnFocusTo={returnFocusTo}>
            Clear search and filters
          </Button>
        }
      />
    </div>
  )
}
