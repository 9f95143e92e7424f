import type { TableColumn } from '../ui/table.tsx'

/** Measures shared by the rows and by what stands in their place while they load. */
export const COLUMNS: readonly TableColumn[] = [
  { title: 'Address' },
  { title: 'Reason', width: 'w-[30%]' },
  { title: 'Caused by', width: 'w-[18%]' },
  { title: 'Since', width: 'w-43' },
  { title: 'Actions', width: 'w-25', hidden: true },
]

export const rowLook = {
  row: 'relative @3xl:h-17',
  /** On a phone the button stands beside it. */
  address: 'pr-22 @3xl:pr-4',
  actions: 'absolute top-px right-1 md:pointer-fine:top-1.75 @3xl:static',
} as const
