import { useRef } from 'react'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { CampaignFate } from './campaign-fate.tsx'
import { CampaignHead } from './campaign-head.tsx'
import { CampaignLetter } from './campaign-letter.tsx'
import { CampaignNotices } from './campaign-notices.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { stateWords } from './state-words.ts'

export function CampaignView({ campaign }: { campaign: CampaignDetail }) {
  const title = useRef<HTMLHeadingElement>(null)
  const toTitle = () => title.current
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <CampaignHead campaign={campaign} title={title} />
      {/* The turns of events only: to hear every number would be noise. */}
      <p role="status" className="sr-only">
        {stateWords(campaign)}
      </p>
      <CampaignFate campaign={campaign} returnFocusTo={toTitle} />
      <CampaignNotices campaign={campaign} returnFocusTo={toTitle} />
      <CampaignLetter body={campaign.body} />
      <DeliveriesCard campaign={campaign} />
    </div>
  )
}
