import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

/*
  On a phone a row becomes a card and each cell says its column. Changing `display` takes the table's meaning away
  in some browsers, hence the explicit roles.
*/

export function Table({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly { title: string; align?: 'start' | 'end'; hidden?: boolean }[]
  children: ReactNode
}) {
  return (
    <table aria-label={label} className="block w-full border-collapse text-left md:table">
      <thead className="hidden md:table-header-group">
        <tr className="border-line border-b">
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={classes(
                'h-10 px-4 font-medium text-muted text-sm',
                column.align === 'end' && 'text-right',
              )}
            >
              {column.hidden ? <span className="sr-only">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: display:block would otherwise take the role away */}
      <tbody role="rowgroup" className="block divide-y divide-line md:table-row-group">
        {children}
      </tbody>
    </table>
  )
}

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      // biome-ignore lint/a11y/noRedundantRoles: display:grid would otherwise take the role away
      role="row"
      className={classes(
        'grid gap-2 px-4 py-3 transition-colors hover:bg-sunken md:table-row md:p-0',
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
        'flex min-w-0 items-baseline gap-4 md:table-cell md:px-4 md:py-3 md:align-middle',
        label ? 'justify-between' : align === 'end' && 'justify-end',
        align === 'end' && 'md:text-right',
        className,
      )}
      {...rest}
    >
      {label && <span className="shrink-0 text-muted text-sm md:hidden">{label}</span>}
      {children}
    </td>
  )
}
