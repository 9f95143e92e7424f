import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import type { NextFocus } from './next-focus.ts'
import { useReturnFocus } from './use-return-focus.ts'

export const DialogClose = Primitive.Close

/** Shared with the sheet: the veil over what waits behind. */
export const veil =
  'fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in'

export const closeButton =
  'absolute top-2.5 right-2.5 grid tap-square-9 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink'

interface DialogProps {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** The button that opens it, when the dialog keeps its own state. */
  trigger?: ReactNode
  title: string
  description?: string
  children: ReactNode
  /** The answers, main one last. The harmless one has the focus: the first, or the one that is marked `data-keep`. */
  footer?: ReactNode
  /** Where the keyboard goes when the button that opened it is no longer there, or at work; `around` if left out. */
  returnFocusTo?: NextFocus
  /** `lg` for something to look at rather than to answer. */
  size?: 'md' | 'lg'
}

const width = { md: 'max-w-lg', lg: 'max-w-180' }

/** For questions that must be answered before going on; where an inline answer serves, use that. */
export function Dialog({
  trigger,
  title,
  description,
  children,
  footer,
  returnFocusTo,
  size = 'md',
  ...state
}: DialogProps) {
  const focus = useReturnFocus(returnFocusTo)
  return (
    <Primitive.Root {...state}>
      {trigger && <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>}
      <Primitive.Portal>
        <Primitive.Overlay className={veil} />
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center p-4">
          <Primitive.Content
            {...focus}
            onOpenAutoFocus={(event) => {
              focus.onOpenAutoFocus()
              toHarmlessAnswer(event)
            }}
            // Radix asks for a description or an explicit "there is none".
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={classes(
              'pointer-events-auto relative flex max-h-[calc(100dvh-2rem)] w-full flex-col rounded-lg border border-line bg-card shadow-pop data-[state=closed]:animate-sink-out data-[state=open]:animate-rise-in',
              width[size],
            )}
          >
            <div className="grid gap-1 px-5 pt-5 pr-14">
              <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
              {description && (
                <Primitive.Description className="text-muted text-sm">{description}</Primitive.Description>
              )}
            </div>
            <div className="min-h-0 overflow-y-auto p-5">{children}</div>
            {footer && (
              <div className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-4">{footer}</div>
            )}
            <Primitive.Close className={closeButton} aria-label="Close">
              <X aria-hidden="true" className="size-4" />
            </Primitive.Close>
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function toHarmlessAnswer(event: Event): void {
  const keep = event.target instanceof Element && event.target.querySelector<HTMLElement>('[data-keep]')
  if (!keep) return
  event.preventDefault()
  keep.focus()
}
