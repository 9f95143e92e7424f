import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import { useMainLandmark } from './use-main-landmark.ts'

export const floating =
  'z-50 min-w-44 rounded-md border border-line bg-card text-ink shadow-pop ' +
  'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in'

const floatingItem =
  'flex min-h-11 cursor-pointer select-none items-center gap-2.5 rounded-sm px-2.5 text-base outline-none ' +
  'data-[disabled]:cursor-not-allowed data-[highlighted]:bg-hover data-[disabled]:opacity-55 md:pointer-fine:min-h-8 ' +
  '[&>svg]:size-4'

/** Actions on one thing, behind the button that names it. */
export function DropdownMenu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  children: ReactNode
}) {
  const landmark = useMainLandmark()
  return (
    // Not modal: the page behind stays readable to a screen reader and can still be scrolled.
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal container={landmark}>
        <Primitive.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={classes(floating, 'p-1')}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

export function DropdownMenuItem({
  destructive = false,
  className,
  ...rest
}: ComponentProps<typeof Primitive.Item> & { destructive?: boolean }) {
  return (
    <Primitive.Item
      className={classes(floatingItem, destructive ? 'text-failed-text' : '[&>svg]:text-muted', className)}
      {...rest}
    />
  )
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2.5 pt-1.5 pb-1 text-muted text-xs">{children}</Primitive.Label>
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />
}
