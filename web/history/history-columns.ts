import { classes } from '../ui/classes.ts'
import type { TableColumn } from '../ui/table.tsx'

/** Measures shared by the rows and by what stands in their place while they load. */
export const COLUMNS: readonly TableColumn[] = [
  { title: 'Subject' },
  { title: 'Recipients', width: 'w-[21%]' },
  { title: 'Sent Date', width: 'w-45' },
  { title: 'Status', width: 'w-28' },
  { title: 'Delivery', width: 'w-[25%]' },
  { title: 'Actions', width: 'w-16', hidden: true },
]

/** Two lines of the Delivery column fit in, so that nearly all rows are equally high. */
export const rowShape = (isFollowed: boolean): string =>
  classes('relative @3xl:h-16', isFollowed && 'border-b-0')

export const rowLook = {
  /** On a phone the menu stands beside it. */
  subject: 'pr-12 @3xl:pr-4',
  actions: 'absolute top-1 right-1 @3xl:static',
  progress: '@3xl:h-auto',
} as const
