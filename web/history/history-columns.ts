import { classes } from '../ui/classes.ts'
import type { TableColumn } from '../ui/table.tsx'

/** Measures shared by the rows and by what stands in their place while they load. */
export const COLUMNS: readonly TableColumn[] = [
  { title: 'Subject' },
  { title: 'Recipients', width: 'w-[20%]' },
  { title: 'Sent Date', width: 'w-43' },
  { title: 'Status', width: 'w-26' },
  { title: 'Delivery', width: 'w-[24%]' },
  { title: 'Actions', width: 'w-15', hidden: true },
]

/** The percentage of the Delivery column is explained in its head. */
export const columnsWith = (deliveryNote: string): readonly TableColumn[] =>
  COLUMNS.map((column) => (column.title === 'Delivery' ? { ...column, note: deliveryNote } : column))

/** Two lines fit in, of a subject as of the Delivery column, so that nearly all rows are equally high. */
export const rowShape = (isFollowed: boolean): string =>
  classes('relative @3xl:h-17', isFollowed && 'border-b-0')

export const rowLook = {
  /** On a phone the menu stands beside it. */
  subject: 'pr-12 @3xl:pr-4',
  actions: 'absolute top-px right-1 md:pointer-fine:top-1 @3xl:static',
  progress: 'pt-0',
} as const
