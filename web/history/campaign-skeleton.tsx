import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CampaignCounts } from './campaign-counts.tsx'
import { DeliveriesSkeleton } from './deliveries-skeleton.tsx'

/** As high, part by part, as a finished campaign with a short text. */
export function CampaignSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <p role="status" className="sr-only">
        Loading the email
      </p>
      <h1 className="sr-only">Sent email</h1>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 grow basis-96 gap-2">
          <Skeleton className="h-7.5 w-2/3" />
          <Skeleton className="h-5.5 w-52" />
          <Skeleton className="h-10 w-72" />
        </div>
        <div className="flex flex-wrap gap-2">
          <Skeleton className="tap-9 w-33" />
          <Skeleton className="tap-9 w-36" />
        </div>
      </div>
      <Card aria-label="What became of the recipients" className="grid gap-5 p-5">
        <div className="grid gap-2">
          <div className="flex items-center md:min-h-8">
            <Skeleton className="h-5.5 w-40" />
          </div>
          <div className="-mt-2 -mb-4 tap-5 flex items-center md:my-0">
            <Skeleton className="h-3 w-full" />
          </div>
        </div>
        <CampaignCounts campaign={null} />
      </Card>
      <Card aria-label="The email as sent">
        <CardHeader title="The email as sent" />
        <CardBody>
          <Skeleton className="h-5.5 w-3/4" />
        </CardBody>
      </Card>
      <Card aria-label="Deliveries" className="overflow-clip">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 pt-4 pb-3">
          <h2 className="font-semibold text-lg">Deliveries</h2>
          <Skeleton className="tap-10 w-full md:w-72" />
        </div>
        <div className="tap-10 border-line border-b" />
        <DeliveriesSkeleton />
      </Card>
    </div>
  )
}
