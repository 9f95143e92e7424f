import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { useCampaignAction } from './use-campaign-action.ts'

interface CampaignControlsProps {
  entry: HistoryEntry
  /** Where the keyboard goes on when cancelling has taken these buttons away. */
  returnFocusTo: () => HTMLElement | null
}

/** Pause or resume, and cancel; the subject is in their names, for a list may have many of them. */
export function CampaignControls({ entry, returnFocusTo }: CampaignControlsProps) {
  const { act, pending } = useCampaignAction(entry.id)
  const [isAsking, setIsAsking] = useState(false)
  const next = entry.state === 'paused' ? 'resume' : 'pause'
  const [Icon, verb] = next === 'resume' ? [Play, 'Resume'] : [Pause, 'Pause']
  return (
    <div className="flex shrink-0 gap-2">
      <Button
        size="sm"
        className="min-w-25"
        aria-label={`${verb} ${entry.subject}`}
        pending={pending === 'pause' || pending === 'resume'}
        onClick={() => act(next)}
      >
        <Icon aria-hidden="true" className="size-3.5" />
        {verb}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Cancel ${entry.subject}`}
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
