import type { ReactNode } from 'react'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { FateBar, fateParts } from '../ui/fate-bar.tsx'
import { solidTone } from '../ui/tones.ts'
import { CampaignControls } from './campaign-controls.tsx'
import { deliveredWords, isReported } from './delivery-summary.ts'
import { fateOf, isMoving, isUnderWay, progressWords } from './fate.ts'
import { useTimeLeft } from './use-time-left.ts'
import { counted, inWords } from './words.ts'

interface CampaignFateProps {
  campaign: CampaignDetail
  returnFocusTo: () => HTMLElement | null
}

/** Every recipient is in exactly one of these numbers. */
export function CampaignFate({ campaign, returnFocusTo }: CampaignFateProps) {
  const left = useTimeLeft(campaign)
  const fate = fateOf(campaign.counts)
  return (
    <Card aria-label="What became of the recipients" className="grid gap-5 p-5">
      <div className="grid gap-2">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2 md:min-h-8">
          <p className="font-medium">
            {isMoving(campaign)
              ? progressWords(campaign, left)
              : `${counted(campaign.recipientCount, 'recipient')}`}
          </p>
          {isUnderWay(campaign) && <CampaignControls entry={campaign} returnFocusTo={returnFocusTo} />}
        </div>
        <FateBar fate={fate} thick />
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3 lg:grid-cols-6">
        {fateParts.map(({ key, name, fill }) => (
          <Count key={key} name={name} fill={fill}>
            {inWords(fate[key])}
          </Count>
        ))}
      </dl>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-line border-t pt-4 lg:grid-cols-6">
        <Count name="Delivered" fill={solidTone.delivered}>
          {isReported(campaign) ? deliveredWords(campaign) : 'Pending...'}
        </Count>
        <Count name="Bounced" fill={solidTone.bounced}>
          {inWords(campaign.bouncedCount)}
        </Count>
        <Count name="Spam" fill={solidTone.failed}>
          {inWords(campaign.complainedCount)}
        </Count>
        <Count name="Opened" fill={solidTone.opened}>
          {inWords(campaign.openedCount)}
        </Count>
      </dl>
    </Card>
  )
}

function Count({ name, fill, children }: { name: string; fill: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-muted text-sm">
        <span aria-hidden="true" className={classes('size-2 shrink-0 rounded-full', fill)} />
        {name}
      </dt>
      <dd className="font-semibold text-lg">{children}</dd>
    </div>
  )
}
