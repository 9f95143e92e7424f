import type { ReactNode } from 'react'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { waitingOf } from '../../contract/under-way.ts'
import { classes } from '../ui/classes.ts'
import { Explain } from '../ui/explain.tsx'
import { fateOf } from '../ui/fate.ts'
import { fateParts } from '../ui/fate-bar.tsx'
import { deliveryWords } from '../ui/rate-words.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { solidTone } from '../ui/tones.ts'
import { inWords } from '../ui/words.ts'
import { deliveredWords, isReported } from './delivery-summary.ts'

/** What became of the mails, and below it what was reported of those that were accepted. Null while loading. */
export function CampaignCounts({ campaign }: { campaign: CampaignDetail | null }) {
  const fate = campaign && fateOf(campaign.counts)
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3 lg:grid-cols-6">
        {fateParts.map(({ key, name, fill }) => (
          <Count key={key} name={name} fill={fill}>
            {fate && inWords(fate[key])}
          </Count>
        ))}
      </dl>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-line border-t pt-4 md:grid-cols-3 lg:grid-cols-6">
        {/* The mark comes with the number: one that the number replaces would take the keyboard's place with it. */}
        <Count
          name="Delivered"
          fill={solidTone.delivered}
          note={campaign && deliveryWords(campaign.isDeliveryPresumed)}
        >
          {campaign &&
            (isReported(campaign) || !isAwaited(campaign) ? deliveredWords(campaign) : 'Pending...')}
        </Count>
        <Count name="Bounced" fill={solidTone.bounced}>
          {campaign && inWords(campaign.bouncedCount)}
        </Count>
        <Count name="Spam" fill={solidTone.failed}>
          {campaign && inWords(campaign.complainedCount)}
        </Count>
        <Count name="Opened" fill={solidTone.opened}>
          {campaign && inWords(campaign.openedCount)}
        </Count>
        <Count name="Opened by machines" fill={solidTone.machineOpened}>
          {campaign && inWords(campaign.machineOpenedCount)}
        </Count>
        <Count name="Unsubscribed" fill={solidTone.unsubscribed}>
          {campaign && inWords(campaign.unsubscribedCount)}
        </Count>
      </dl>
    </>
  )
}

/** Of those who never got it no report will come. */
const isAwaited = ({ counts }: CampaignDetail): boolean =>
  counts.accepted + counts.unknown + waitingOf(counts) > 0

const NONE = inWords(0)

interface CountProps {
  name: string
  fill: string
  note?: string | null
  children: ReactNode
}

function Count({ name, fill, note, children }: CountProps) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-muted text-sm">
        <span aria-hidden="true" className={classes('size-2 shrink-0 rounded-full', fill)} />
        {name}
        {note && <Explain label={`How ${name} is counted`}>{note}</Explain>}
      </dt>
      {/* What did not happen steps back behind what did. */}
      <dd className={classes('text-lg', children === NONE ? 'text-muted' : 'font-semibold')}>
        {children ?? <Skeleton className="h-6 w-16" />}
      </dd>
    </div>
  )
}
