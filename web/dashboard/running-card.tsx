import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { historyQuery } from '../api/campaigns.ts'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { textLink } from '../ui/text-link.ts'
import { LoadError } from './load-error.tsx'
import { othersWords } from './progress-words.ts'
import { RunningCampaign } from './running-campaign.tsx'

const TITLE_ID = 'running-title'
/** As many as fit beside the chart. */
const SHOWN = 4

export function RunningCard() {
  return (
    <Card aria-labelledby={TITLE_ID} className="min-w-0">
      <CardHeader id={TITLE_ID} title="In Progress" />
      <CardBody className="grid content-start gap-5">
        <RunningContent />
      </CardBody>
    </Card>
  )
}

function RunningContent() {
  // Read anew with each visit: a campaign that was taken up again elsewhere is news to this list, not to the longer one.
  const query = useInfiniteQuery({ ...historyQuery({ status: 'pending' }), refetchOnMount: 'always' })
  if (query.data) {
    // Progress reaches the entries by itself; one that has finished is still in the list that was asked for.
    const running = query.data.pages
      .flatMap(({ entries }) => entries)
      .filter(({ status }) => status === 'pending')
    if (running.length === 0 && !query.hasNextPage)
      return (
        <>
          <p className="text-muted">Nothing is on its way right now.</p>
          <p>
            <Link href="/history" className={textLink}>
              See what was sent
            </Link>
          </p>
        </>
      )
    const others = running.length - SHOWN
    return (
      <>
        <ul className="grid gap-4">
          {running.slice(0, SHOWN).map((campaign) => (
            <RunningCampaign key={campaign.id} campaign={campaign} />
          ))}
        </ul>
        {(others > 0 || query.hasNextPage) && (
          <p>
            <Link href="/history?status=pending" className={textLink}>
              {othersWords(others, query.hasNextPage)}
            </Link>
          </p>
        )}
      </>
    )
  }
  if (query.isError) return <LoadError what="What is being sent" query={query} />
  return (
    <>
      <p role="status" className="sr-only">
        Loading what is being sent
      </p>
      <Skeleton className="h-5.5 w-3/4" />
      <Skeleton className="h-5.5 w-1/3" />
    </>
  )
}
