import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

/** The frame shared by everything one types or chooses in, so that they align in a row. */
export const controlFrame =
  'w-full rounded-md border border-control/60 bg-card text-ink text-field shadow-lift transition-colors ' +
  'hover:border-control focus-visible:border-accent focus-visible:outline-offset-0 ' +
  'aria-invalid:border-failed disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={classes(controlFrame, 'tap-10 px-3', className)} {...rest} />
}
