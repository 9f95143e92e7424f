import type { CampaignDetail } from '../../contract/campaigns.ts'
import { isMoving, isUnderWay } from '../../contract/under-way.ts'
import { Card } from '../ui/card.tsx'
import { fateOf } from '../ui/fate.ts'
import { FateBar } from '../ui/fate-bar.tsx'
import { counted } from '../ui/words.ts'
import { CampaignControls } from './campaign-controls.tsx'
import { CampaignCounts } from './campaign-counts.tsx'
import { primaryOf } from './primary-action.ts'
import { progressWords } from './progress.ts'
import { useTimeLeft } from './use-time-left.ts'

interface CampaignFateProps {
  campaign: CampaignDetail
  returnFocusTo: () => HTMLElement | null
}

/** Every recipient is in exactly one of these numbers. */
export function CampaignFate({ campaign, returnFocusTo }: CampaignFateProps) {
  const left = useTimeLeft(campaign)
  return (
    <Card aria-label="What became of the recipients" className="grid gap-5 p-5">
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 md:min-h-8">
          <p className="font-medium">
            {isMoving(campaign)
              ? progressWords(campaign, left)
              : counted(campaign.recipientCount, 'recipient')}
          </p>
          {isUnderWay(campaign) && (
            <CampaignControls
              entry={campaign}
              isPrimary={primaryOf(campaign) === 'resume'}
              returnFocusTo={returnFocusTo}
            />
          )}
        </div>
        <div className="-mt-2 -mb-4 relative md:my-0">
          <FateBar fate={fateOf(campaign.counts)} thick />
        </div>
      </div>
      <CampaignCounts campaign={campaign} />
    </Card>
  )
}
