import { Link, useParams } from 'wouter'
import { ApiError, messageOf } from '../api/client.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { Button } from '../ui/button.tsx'
import { SignpostDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { BackToHistory } from './campaign-head.tsx'
import { CampaignSkeleton } from './campaign-skeleton.tsx'
import { CampaignView } from './campaign-view.tsx'
import { useCampaign } from './use-campaign.ts'
import { listPath } from './use-history-filter.ts'

export function CampaignPage() {
  const { id = '' } = useParams<{ id: string }>()
  const campaign = useCampaign(id)
  usePageTitle(campaign.data?.subject ?? 'Sent Email')
  return (
    <>
      <BackToHistory />
      {campaign.data ? (
        <CampaignView key={id} campaign={campaign.data} />
      ) : campaign.error ? (
        <Failure
          error={campaign.error}
          isRetrying={campaign.isFetching}
          onRetry={() => void campaign.refetch()}
        />
      ) : (
        <CampaignSkeleton />
      )}
    </>
  )
}

function Failure({ error, isRetrying, onRetry }: { error: Error; isRetrying: boolean; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404)
    return (
      <>
        <h1 className="sr-only">Email not found</h1>
        <EmptyState
          drawing={<SignpostDrawing />}
          title="This email is not in your history"
          text="The link may be incomplete, or the email was sent from another account."
          action={
            <Button asChild variant="primary">
              <Link href={listPath()}>Go to Email History</Link>
            </Button>
          }
        />
      </>
    )
  return (
    <>
      <h1 className="sr-only">Sent email</h1>
      <LoadFailure
        title="This email could not be loaded"
        reason={messageOf(error)}
        isRetrying={isRetrying}
        onRetry={onRetry}
      />
    </>
  )
}
