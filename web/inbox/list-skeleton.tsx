import { Skeleton } from '../ui/skeleton.tsx'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** Row by row as high as a message whose preview fills its two lines. */
export function ListSkeleton() {
  return (
    <ul aria-hidden="true" className="divide-y divide-line">
      {ROWS.map((row) => (
        <li key={row} className="grid gap-0.5 py-3 pr-4 pl-7">
          <Skeleton className="h-5.5 w-2/5" />
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-10" />
        </li>
      ))}
    </ul>
  )
}
