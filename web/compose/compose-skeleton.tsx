import { Card, CardBody } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** As high, line by line, as the form of a short draft. */
export function ComposeSkeleton() {
  return (
    <div className="grid gap-3">
      <p role="status" className="sr-only">
        Loading the draft
      </p>
      <Card>
        <CardBody className="grid gap-5">
          <FieldSkeleton hint />
          <Skeleton className="h-45 md:h-30" />
          <FieldSkeleton />
          <div className="grid gap-1.5">
            <Skeleton className="h-5 w-20" />
            <Skeleton className="h-72" />
            <Skeleton className="tap-8 w-28" />
          </div>
        </CardBody>
      </Card>
      <div className="grid gap-1.5 border-transparent border-t py-3">
        <Skeleton className="h-10 w-48 md:hidden" />
        <Skeleton className="tap-9 w-full md:w-56" />
      </div>
    </div>
  )
}

function FieldSkeleton({ hint = false }: { hint?: boolean }) {
  return (
    <div className="grid gap-1.5">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="tap-10" />
      {hint && <Skeleton className="h-10 w-4/5 md:h-5" />}
    </div>
  )
}
