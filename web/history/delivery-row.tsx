import type { ReactNode } from 'react'
import type { Delivery } from '../../contract/campaigns.ts'
import { Badge } from '../ui/badge.tsx'
import { classes } from '../ui/classes.ts'
import { STATE_NAMES, STATE_TONES } from '../ui/delivery-states.ts'
import { counted, dateWords, inWords } from '../ui/words.ts'
import { happenedTo } from './delivery-words.ts'

/** Beside each other where there is room, else a card of three lines; equally high in either case. */
export const deliveryGrid =
  '@3xl:grid-cols-[minmax(0,1.1fr)_7.5rem_minmax(0,1.4fr)_4.5rem_11rem] @3xl:gap-x-6 @3xl:px-5'

interface DeliveryRowProps {
  delivery: Delivery
  index: number
  onOpen: () => void
}

export function DeliveryRow({ delivery, index, onOpen }: DeliveryRowProps) {
  const { words, at } = happenedTo(delivery)
  const isBad = delivery.state === 'failed' || delivery.bouncedAt !== null || delivery.complainedAt !== null
  return (
    <tr
      // biome-ignore lint/a11y/noRedundantRoles: display:grid would otherwise take the role away
      role="row"
      data-row
      aria-rowindex={index}
      className={classes(
        'grid h-36 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 gap-y-1 border-line border-b px-5',
        'transition-colors hover:bg-sunken @3xl:h-14',
        deliveryGrid,
      )}
    >
      <Cell>
        <button
          type="button"
          onClick={onOpen}
          className="tap-11 block w-full truncate rounded-sm text-left font-medium underline-offset-4 hover:underline"
        >
          {delivery.address}
        </button>
      </Cell>
      <Cell className="flex">
        <Badge tone={STATE_TONES[delivery.state]}>{STATE_NAMES[delivery.state]}</Badge>
      </Cell>
      <Cell className="col-span-2 @3xl:col-span-1">
        <span
          className={classes(
            'wrap-anywhere line-clamp-2 min-h-10 text-sm @3xl:min-h-0',
            isBad ? 'text-failed-text' : 'text-soft',
          )}
        >
          {words}
        </span>
      </Cell>
      <Cell className="text-muted text-sm @3xl:text-right">
        <span className="hidden @3xl:inline">{inWords(delivery.attempts)}</span>
        <span className="@3xl:hidden">{counted(delivery.attempts, 'attempt')}</span>
      </Cell>
      <Cell className="text-right text-muted text-sm @3xl:text-left">
        {at === null ? <span aria-hidden="true">–</span> : <time dateTime={at}>{dateWords(at)}</time>}
      </Cell>
    </tr>
  )
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a cell of a grid has lost its role
    <td role="cell" className={classes('min-w-0', className)}>
      {children}
    </td>
  )
}
