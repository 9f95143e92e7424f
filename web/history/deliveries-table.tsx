import { useRef } from 'react'
import type { Delivery } from '../../contract/campaigns.ts'
import { classes } from '../ui/classes.ts'
import { useRowWindow } from '../ui/use-row-window.ts'
import { DeliveryRow, deliveryGrid } from './delivery-row.tsx'

const COLUMNS = ['Recipient', 'State', 'What happened', 'Attempts', 'Time']
const ROW = 56

interface DeliveriesTableProps {
  items: readonly Delivery[]
  /** How many there are, loaded or not; null when only the server could tell. */
  total: number | null
  onOpen: (delivery: Delivery) => void
}

/** Any number of deliveries; only the rows in sight are in the page. */
export function DeliveriesTable({ items, total, onOpen }: DeliveriesTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { start, end, before, after } = useRowWindow(body, items.length, ROW)
  return (
    <div className="@container">
      {/* The header row counts too; −1 stands for "not known". */}
      <table
        aria-label="Deliveries"
        aria-rowcount={total === null ? -1 : total + 1}
        className="block text-left"
      >
        {/* biome-ignore-start lint/a11y/noRedundantRoles: display:grid would otherwise take the roles away */}
        {/* biome-ignore-start lint/a11y/useSemanticElements: as above */}
        <thead role="rowgroup" className="sr-only @3xl:not-sr-only @3xl:block">
          <tr
            role="row"
            aria-rowindex={1}
            className={classes('grid h-10 items-center border-line border-b', deliveryGrid)}
          >
            {COLUMNS.map((title) => (
              <th
                key={title}
                scope="col"
                role="columnheader"
                className={classes('font-medium text-muted text-sm', title === 'Attempts' && 'text-right')}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" className="-mb-px block">
          {before > 0 && <Gap height={before} />}
          {items.slice(start, end).map((delivery, index) => (
            <DeliveryRow
              key={delivery.address}
              delivery={delivery}
              index={start + index + 2}
              onOpen={() => onOpen(delivery)}
            />
          ))}
          {after > 0 && <Gap height={after} />}
        </tbody>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
        {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
      </table>
    </div>
  )
}

/** The room of rows that are not there. */
function Gap({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row cannot be focused
  return <tr aria-hidden="true" className="block" style={{ height }} />
}
