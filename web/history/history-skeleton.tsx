import { Skeleton } from '../ui/skeleton.tsx'
import { Table, TableCell, TableRow } from '../ui/table.tsx'
import { COLUMNS, rowLook, rowShape } from './history-columns.ts'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Row by row as high as what replaces it. */
export function HistorySkeleton() {
  return (
    <Table label="Sent emails are loading" columns={COLUMNS}>
      {ROWS.map((row) => (
        <TableRow key={row} className={rowShape(false)}>
          <TableCell className={rowLook.subject}>
            <Skeleton className="h-5.5 w-3/4" />
          </TableCell>
          <TableCell label="Recipients">
            <Skeleton className="h-5 w-36 self-center" />
          </TableCell>
          <TableCell label="Sent Date" className="text-sm">
            <Skeleton className="h-5 w-36 self-center" />
          </TableCell>
          <TableCell label="Status">
            <Skeleton className="h-5.5 w-14 self-center" />
          </TableCell>
          <TableCell label="Delivery">
            <Skeleton className="h-5 w-28 self-center" />
          </TableCell>
          <TableCell align="end" className={rowLook.actions}>
            <Skeleton className="tap-square-9" />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}
