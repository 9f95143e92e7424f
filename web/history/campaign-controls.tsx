import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { onFirstClick } from '../ui/press.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { useCampaignAction } from './use-campaign-action.ts'

interface CampaignControlsProps {
  entry: HistoryEntry
  /** On a page of its own going on is what there is to do; in a list it is one among many. */
  isPrimary?: boolean
  /** Where the keyboard goes on when these buttons are gone: it was cancelled, or has come to its end. */
  returnFocusTo: () => HTMLElement | null
}

/** Pause or resume, and cancel; the subject is in their names, for a list may have many of them. */
export function CampaignControls({ entry, isPrimary = false, returnFocusTo }: CampaignControlsProps) {
  const { act, pending } = useCampaignAction(entry.id)
  const [isAsking, setIsAsking] = useState(false)
  // An outage ends by itself: to resume would change nothing, to pause still can.
  const next = entry.state === 'paused' && !entry.resumesItself ? 'resume' : 'pause'
  const [Icon, verb] = next === 'resume' ? [Play, 'Resume'] : [Pause, 'Pause']
  return (
    <div className="flex shrink-0 gap-2">
      <Button
        size="sm"
        variant={isPrimary ? 'primary' : 'secondary'}
        className="min-w-25"
        aria-label={`${verb} ${entry.subject}`}
        pending={pending === 'pause' || pending === 'resume'}
        returnFocusTo={returnFocusTo}
        // The second click of two would take the first one back.
        onClick={onFirstClick(() => act(next))}
      >
        <Icon aria-hidden="true" className="size-3.5" />
        {verb}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        className="-mr-3"
        aria-label={`Cancel ${entry.subject}`}
        returnFocusTo={returnFocusTo}
        onClick={() => setIsAsking(true)}
      >
        Cancel
      </Button>
      <CancelDialog
        entry={entry}
        open={isAsking}
        onOpenChange={setIsAsking}
        isPending={pending === 'cancel'}
        onConfirm={() => act('cancel', { onSettled: () => setIsAsking(false) })}
        returnFocusTo={returnFocusTo}
      />
    </div>
  )
}
