import { Label as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

export function Label({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={classes('font-medium text-ink text-sm', className)} {...rest} />
}
