import { Popover as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { floating } from './dropdown-menu.tsx'
import { useMainLandmark } from './use-main-landmark.ts'

interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  trigger: ReactNode
  /** What a screen reader calls it. */
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** A small panel at the button that opens it, for more than a menu's plain actions. */
export function Popover({ trigger, label, align = 'end', className, children, ...state }: PopoverProps) {
  const landmark = useMainLandmark()
  return (
    <Primitive.Root {...state}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal container={landmark}>
        <Primitive.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className={classes(
            floating,
            'max-h-(--radix-popover-content-available-height) overflow-y-auto',
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
