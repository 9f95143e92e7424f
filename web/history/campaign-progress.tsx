import type { HistoryEntry } from '../../contract/campaigns.ts'
import { isUnderWay } from '../../contract/under-way.ts'
import { fateOf } from '../ui/fate.ts'
import { FateBar } from '../ui/fate-bar.tsx'
import { CampaignControls } from './campaign-controls.tsx'
import { pauseWords, resumeWords } from './pause-words.ts'
import { progressWords } from './progress.ts'
import { useTimeLeft } from './use-time-left.ts'

interface CampaignProgressProps {
  entry: HistoryEntry
  returnFocusTo: () => HTMLElement | null
}

/** A campaign on its way, in one line of the list. */
export function CampaignProgress({ entry, returnFocusTo }: CampaignProgressProps) {
  const left = useTimeLeft(entry)
  return (
    <div className="grid w-full min-w-0 gap-1 @3xl:grid-cols-[minmax(0,1fr)_auto] @3xl:items-center @3xl:gap-x-6">
      <div className="min-w-0">
        {/* Its target is a finger high on a phone; the bar itself needs no such room. */}
        <div className="-my-3 relative @3xl:my-0">
          <FateBar fate={fateOf(entry.counts)} />
        </div>
        <p className="text-soft text-sm">{progressWords(entry, left)}</p>
        {entry.state === 'paused' && (
          <p className="wrap-anywhere text-bounced-text text-sm">
            {pauseWords(entry)} {resumeWords(entry)}
          </p>
        )}
      </div>
      {isUnderWay(entry) && <CampaignControls entry={entry} returnFocusTo={returnFocusTo} />}
    </div>
  )
}
