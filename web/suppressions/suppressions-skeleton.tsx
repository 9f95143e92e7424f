import { Skeleton } from '../ui/skeleton.tsx'
import { Table, TableCell, TableRow } from '../ui/table.tsx'
import { COLUMNS, rowLook } from './suppressions-columns.ts'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Row by row as high as what replaces it. */
export function SuppressionsSkeleton() {
  return (
    <Table label="The suppression list is loading" columns={COLUMNS}>
      {ROWS.map((row) => (
        <TableRow key={row} className={rowLook.row}>
          <TableCell className={rowLook.address}>
            <Skeleton className="h-5.5 w-40" />
          </TableCell>
          <TableCell label="Reason">
            <Skeleton className="h-5.5 w-28 self-center" />
          </TableCell>
          <TableCell label="Caused by" className="@max-3xl:hidden">
            <Skeleton className="h-5 w-28 self-center" />
          </TableCell>
          <TableCell label="Since" className="text-sm">
            <Skeleton className="h-5 w-36 self-center" />
          </TableCell>
          <TableCell align="end" className={rowLook.actions}>
            <Skeleton className="tap-8 w-18" />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}
