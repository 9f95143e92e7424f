import { useState } from 'react'
import { Link } from 'wouter'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { textLink } from '../ui/text-link.ts'
import { counted, inWords } from '../ui/words.ts'
import { DELIVERIES_HEADING } from './deliveries-card.tsx'
import { pauseWords } from './pause-words.ts'
import { primaryOf } from './primary-action.ts'
import { UnconfirmedDialog } from './unconfirmed-dialog.tsx'
import { useCampaignAction } from './use-campaign-action.ts'

interface CampaignNoticesProps {
  campaign: CampaignDetail
  returnFocusTo: () => HTMLElement | null
}

/** What asks for a decision. While mails are leaving the numbers alone speak: notices would push the page around. */
export function CampaignNotices({ campaign, returnFocusTo }: CampaignNoticesProps) {
  if (campaign.state === 'sending') return null
  return (
    <>
      {campaign.state === 'paused' && (
        <Alert tone="warning" title="Sending has stopped">
          {pauseWords(campaign)} <GoingOn campaign={campaign} />
        </Alert>
      )}
      {campaign.counts.failed > 0 && <FailedNotice campaign={campaign} returnFocusTo={returnFocusTo} />}
      {campaign.counts.unknown > 0 && <UnconfirmedNotice campaign={campaign} returnFocusTo={returnFocusTo} />}
    </>
  )
}

/** What to do about a pause, if anything. */
function GoingOn({ campaign }: { campaign: CampaignDetail }) {
  if (campaign.isRestored && !campaign.resumesItself)
    return 'It does not go on by itself: Resume sends it to those who are still waiting here, a second time to whoever got it after the copy was made. If you cancel it, they are unconfirmed.'
  if (!campaign.resumesItself)
    return `It does not go on by itself: Resume sends it to those who are still waiting${
      // Of those whom nobody confirmed some may have it.
      campaign.round > 1 ? '' : ', and to nobody a second time'
    }.`
  return (
    <>
      Nothing is lost: it goes on by itself as soon as the provider takes mail again. If the reason lies with
      your own account, mend it in{' '}
      <Link href="/settings" className={textLink}>
        Settings
      </Link>
      .
    </>
  )
}

function FailedNotice({ campaign, returnFocusTo }: CampaignNoticesProps) {
  const { act, pending } = useCampaignAction(campaign.id)
  const { failed } = campaign.counts
  return (
    <Alert
      quiet
      tone="danger"
      title={`${inWords(failed)} failed`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button
            variant={primaryOf(campaign) === 'retry-failed' ? 'primary' : 'secondary'}
            pending={pending !== null}
            pendingText="Retrying..."
            returnFocusTo={returnFocusTo}
            onClick={() => act('retry-failed')}
          >
            Retry failed
          </Button>
          <ShowState campaign={campaign} state="failed" />
        </div>
      }
    >
      {failed === 1 ? 'One recipient' : counted(failed, 'recipient')}{' '}
      {campaign.isRestored
        ? 'had not got this email when the copy of the database was made that was put in place since. Whether they got it after that, nobody can say.'
        : 'did not get this email, and the list below says why.'}{' '}
      Retrying sends it to {failed === 1 ? 'this recipient' : 'them'} again and to nobody else.
    </Alert>
  )
}

function UnconfirmedNotice({ campaign, returnFocusTo }: CampaignNoticesProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { unknown } = campaign.counts
  return (
    <Alert
      title={`${inWords(unknown)} unconfirmed`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setIsAsking(true)} returnFocusTo={returnFocusTo}>
            Resend to unconfirmed
          </Button>
          <ShowState campaign={campaign} state="unknown" />
        </div>
      }
    >
      {campaign.isRestored
        ? 'Postrider stopped while this mail was on its way, the provider gave no clear answer, or a copy of the database was put in place while it waited.'
        : 'Postrider stopped while this mail was on its way, or the provider gave no clear answer.'}{' '}
      Whether {unknown === 1 ? 'this recipient' : `these ${counted(unknown, 'recipient')}`} got it, nobody can
      say; a later report from the provider settles it. It is never sent again by itself.
      <UnconfirmedDialog
        campaign={campaign}
        open={isAsking}
        onOpenChange={setIsAsking}
        returnFocusTo={returnFocusTo}
      />
    </Alert>
  )
}

function ShowState({ campaign, state }: { campaign: CampaignDetail; state: 'failed' | 'unknown' }) {
  return (
    <Button asChild variant="ghost">
      <Link
        replace
        href={`/history/${campaign.id}?state=${state}`}
        onClick={() => document.getElementById(DELIVERIES_HEADING)?.focus()}
      >
        Show in the list
      </Link>
    </Button>
  )
}
