import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { closeButton, veil } from './dialog.tsx'
import { useReturnFocus } from './use-return-focus.ts'

interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  side: 'left' | 'right'
  title: string
  /** Says the title to screen readers only, when the sheet's content has a visible heading of its own. */
  titleHidden?: boolean
  children: ReactNode
}

const place = {
  left: 'left-0 border-r data-[state=open]:animate-slide-in data-[state=closed]:animate-slide-out',
  right: 'right-0 border-l data-[state=open]:animate-slide-in-end data-[state=closed]:animate-slide-out-end',
}

/** A panel from the edge, 18rem wide: the sidebar on a phone, details beside a list. */
export function Sheet({ open, onOpenChange, side, title, titleHidden = false, children }: SheetProps) {
  const focus = useReturnFocus()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={veil} />
        <Primitive.Content
          {...focus}
          aria-describedby={undefined}
          className={classes(
            'fixed inset-y-0 z-50 flex w-72 max-w-[calc(100vw-3rem)] flex-col border-line bg-card shadow-pop',
            place[side],
          )}
        >
          <Primitive.Title className={titleHidden ? 'sr-only' : 'px-5 pt-5 pr-14 font-semibold text-lg'}>
            {title}
          </Primitive.Title>
          {children}
          <Primitive.Close className={closeButton} aria-label="Close">
            <X aria-hidden="true" className="size-4" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
