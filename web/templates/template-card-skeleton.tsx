import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Line by line as high as a card: each of its texts has a fixed number of lines. */
export function TemplateCardSkeleton() {
  return (
    <li>
      <Card>
        <div className="p-5">
          <div className="flex h-6 items-center">
            <Skeleton className="h-4.5 w-36" />
          </div>
          <div className="flex h-5.5 items-center">
            <Skeleton className="h-3.5 w-52" />
          </div>
          <div className="mt-3 grid h-10 content-evenly">
            <Skeleton className="h-3" />
            <Skeleton className="h-3 w-3/4" />
          </div>
          <div className="mt-4 flex h-5 items-center justify-between">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-3 w-24" />
          </div>
        </div>
        <div className="flex items-center gap-1 border-line border-t px-3 py-2.5">
          <Skeleton className="tap-9 mr-auto w-32" />
          <Skeleton className="tap-square-9" />
          <Skeleton className="tap-square-9" />
        </div>
      </Card>
    </li>
  )
}
