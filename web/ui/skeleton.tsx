import { classes } from './classes.ts'

/** Stands where something will be, in exactly its size: give the size in `className`. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={classes('animate-pulse rounded-md bg-hover', className)} />
}
