import { ArrowLeft, Download, Send } from 'lucide-react'
import type { RefObject } from 'react'
import { Link } from 'wouter'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { isMoving } from '../../contract/under-way.ts'
import { deliveriesCsvPath } from '../api/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { dateWords } from '../ui/words.ts'
import { CampaignReplies } from './campaign-replies.tsx'
import { primaryOf } from './primary-action.ts'
import { useResend } from './resend.ts'
import { StateBadge, StatusBadge } from './status-badge.tsx'
import { listPath } from './use-history-filter.ts'
import { markReturn } from './use-kept-scroll.ts'

export function BackToHistory() {
  return (
    <Link
      href={listPath()}
      onClick={markReturn}
      className="-mt-2 mb-2 inline-flex min-h-11 items-center gap-1.5 rounded-sm font-medium text-muted text-sm hover:text-ink md:min-h-8"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      Email History
    </Link>
  )
}

interface CampaignHeadProps {
  campaign: CampaignDetail
  title: RefObject<HTMLHeadingElement | null>
}

export function CampaignHead({ campaign, title }: CampaignHeadProps) {
  const resend = useResend()
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 grow basis-96 gap-2">
        <h1
          ref={title}
          tabIndex={-1}
          dir="auto"
          className="wrap-anywhere text-balance text-left font-semibold text-xl outline-none"
        >
          {campaign.subject}
        </h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={campaign.status} />
          <StateBadge state={campaign.state} />
          <time dateTime={campaign.sentDate} className="text-muted">
            {dateWords(campaign.sentDate)}
          </time>
          <CampaignReplies campaign={campaign} />
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
          <dt className="text-muted">From</dt>
          <dd className="wrap-anywhere">
            <bdi>{campaign.senderName}</bdi> <span className="text-muted">{campaign.fromAddress}</span>
          </dd>
          <dt className="text-muted">Replies to</dt>
          <dd className="wrap-anywhere">{campaign.replyTo}</dd>
        </dl>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <a href={deliveriesCsvPath(campaign.id)} download>
            <Download aria-hidden="true" className="size-4" />
            Export CSV
          </a>
        </Button>
        {/* While some still wait for it, once more to everybody is not what anyone means. */}
        {!isMoving(campaign) && (
          <Button
            variant={primaryOf(campaign) === 'resend' ? 'primary' : 'secondary'}
            onClick={() => resend(campaign)}
          >
            <Send aria-hidden="true" className="size-4" />
            Resend Email
          </Button>
        )}
      </div>
    </header>
  )
}
