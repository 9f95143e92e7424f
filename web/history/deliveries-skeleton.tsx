import { Skeleton } from '../ui/skeleton.tsx'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f']

export function DeliveriesSkeleton() {
  return (
    <div className="@container">
      <p role="status" className="sr-only">
        Loading the deliveries
      </p>
      <div className="hidden h-10 border-line border-b @3xl:block" />
      {ROWS.map((row) => (
        <div
          key={row}
          className="grid h-36 content-center gap-3 border-line border-b px-5 @3xl:h-14 @3xl:grid-cols-[2fr_1fr_3fr] @3xl:gap-6"
        >
          <Skeleton className="h-5.5 w-3/4" />
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-5 w-full" />
        </div>
      ))}
    </div>
  )
}
