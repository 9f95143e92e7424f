import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlFrame } from './input.tsx'

export function Textarea({ className, rows = 6, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={classes(controlFrame, 'block resize-y px-3 py-2', className ?? 'min-h-24')}
      {...rest}
    />
  )
}
