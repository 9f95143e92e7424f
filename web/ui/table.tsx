import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Explain } from './explain.tsx'

/*
  Where there is no room for columns, as on a phone, a row becomes a card and each cell says its column. What counts is
  the room that the table has, not the screen: the sidebar takes its share. Changing `display` takes the table's meaning
  away in some browsers, hence the explicit roles.
*/

export interface TableColumn {
  title: string
  align?: 'start' | 'end'
  hidden?: boolean
  /** A class for its width. Once one column has a width, contents no longer move the columns. */
  width?: string
  /** What its numbers mean, behind a mark beside the title. */
  note?: string
}

export function Table({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly TableColumn[]
  children: ReactNode
}) {
  const isFixed = columns.some((column) => column.width)
  return (
    <div className="@container">
      <table
        aria-label={label}
        className={classes(
          'block w-full border-collapse text-left @3xl:table',
          isFixed && '@3xl:table-fixed',
        )}
      >
        <thead className="hidden @3xl:table-header-group">
          <tr className="border-line border-b">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classes(
                  'h-10 px-4 font-medium text-muted text-sm',
                  column.align === 'end' && 'text-right',
                  column.width,
                )}
              >
                {column.hidden ? <span className="sr-only">{column.title}</span> : column.title}
                {column.note && <ColumnNote column={column.title} note={column.note} />}
              </th>
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: display:block would otherwise take the role away */}
        <tbody role="rowgroup" className="block divide-y divide-line @3xl:table-row-group">
          {children}
        </tbody>
      </table>
    </div>
  )
}

function ColumnNote({ column, note }: { column: string; note: string }) {
  return (
    <span className="ml-1">
      <Explain label={`How ${column} is counted`}>{note}</Explain>
    </span>
  )
}

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      // biome-ignore lint/a11y/noRedundantRoles: display:grid would otherwise take the role away
      role="row"
      className={classes(
        'grid gap-2 px-4 py-3 transition-colors hover:bg-sunken @3xl:table-row @3xl:p-0',
        className,
      )}
      {...rest}
    />
  )
}

interface TableCellProps extends Omit<ComponentProps<'td'>, 'align'> {
  /** The column's title, shown beside the value on a phone; leave out for the row's own name and its actions. */
  label?: string
  align?: 'start' | 'end'
}

export function TableCell({ label, align = 'start', className, children, ...rest }: TableCellProps) {
  return (
    <td
      // biome-ignore lint/a11y/noRedundantRoles: display:flex would otherwise take the role away
      role="cell"
      className={classes(
        'flex min-w-0 items-baseline gap-4 @3xl:table-cell @3xl:px-4 @3xl:py-3 @3xl:align-middle',
        label ? 'justify-between' : align === 'end' && 'justify-end',
        align === 'end' && '@3xl:text-right',
        className,
      )}
      {...rest}
    >
      {label && <span className="shrink-0 text-muted text-sm @3xl:hidden">{label}</span>}
      {children}
    </td>
  )
}
