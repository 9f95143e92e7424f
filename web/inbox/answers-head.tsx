import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Link } from 'wouter'
import { campaignQuery } from '../api/campaigns.ts'
import { SignpostDrawing } from '../ui/drawings.tsx'
import { focusNext } from '../ui/next-focus.ts'
import { INBOX_PATH } from './inbox-view.ts'
import { PaneNote } from './pane-note.tsx'
import { shownSubject } from './shown-text.ts'

/** Says that only the answers to one campaign are listed, and leads back to all mail. */
export function AnswersHead({ campaignId }: { campaignId: string }) {
  const { data } = useQuery(campaignQuery(campaignId))
  return (
    <div className="flex items-center gap-2 border-line border-b bg-sunken py-1 pr-1.5 pl-4 text-sm">
      <p className="wrap-anywhere min-w-0 grow py-1.5">
        <span className="text-muted">Answers to </span>
        <Link href={`/history/${campaignId}`} className="-my-3 rounded-sm py-3 font-medium hover:underline">
          <bdi>{data ? shownSubject(data.subject) : 'one campaign'}</bdi>
        </Link>
      </p>
      <Link
        href={INBOX_PATH}
        aria-label="Show all messages"
        // It goes with this line, and would take the keyboard with it.
        onClick={({ currentTarget }) => focusNext('around', currentTarget)}
        className="tap-square-8 grid shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Link>
    </div>
  )
}

export function NoAnswers() {
  return (
    <PaneNote
      drawing={<SignpostDrawing />}
      title="No answers to this campaign"
      text="They may have been deleted, or nobody has written back yet."
    />
  )
}
