import { Info } from 'lucide-react'
import { Tooltip as Primitive } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { useMainLandmark } from './use-main-landmark.ts'

interface ExplainProps {
  /** What the mark is called, for those who do not see beside what it stands. */
  label: string
  children: ReactNode
}

/**
 * A small mark whose words come with the pointer, the keyboard or a tap, and go with them. It takes the room of a line;
 * the button around it is a finger wide.
 */
export function Explain({ label, children }: ExplainProps) {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const landmark = useMainLandmark()
  // The primitive closes when the page is scrolled, and the keyboard's way to a mark out of sight scrolls it.
  const close = () => {
    if (!trigger.current?.matches(':focus-visible')) setOpen(false)
  }
  return (
    <Primitive.Root open={open} onOpenChange={(next) => (next ? setOpen(true) : close())}>
      <span className="relative inline-block size-5 shrink-0 align-top">
        <Primitive.Trigger
          ref={trigger}
          aria-label={label}
          // The primitive closes on a press, which would leave a finger with nothing.
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.preventDefault()
            setOpen(true)
          }}
          className="tap-square-6 -translate-1/2 absolute top-1/2 left-1/2 grid place-items-center rounded-full text-muted hover:text-ink"
        >
          <Info aria-hidden="true" className="size-3.5" />
        </Primitive.Trigger>
      </span>
      <Primitive.Portal container={landmark}>
        <Primitive.Content
          side="top"
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={() => setOpen(false)}
          className="z-50 max-w-72 animate-fade-in text-pretty rounded-md bg-ink px-3 py-2 text-left font-normal text-paper text-sm shadow-pop"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
