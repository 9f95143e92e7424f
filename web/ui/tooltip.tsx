import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { useMainLandmark } from './use-main-landmark.ts'

/** Long enough that a passing pointer leaves the screen quiet. */
const DELAY_MS = 700

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delayDuration={DELAY_MS}>{children}</Primitive.Provider>
}

interface TooltipProps {
  text: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Lets a caller keep one tree and only sometimes need the words. */
  disabled?: boolean
  children: ReactNode
}

/** Names an icon. It repeats what the element already says to a screen reader. */
export function Tooltip({ text, side = 'bottom', disabled = false, children }: TooltipProps) {
  const landmark = useMainLandmark()
  return (
    <Primitive.Root {...(disabled ? { open: false } : {})}>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal container={landmark}>
        <Primitive.Content
          side={side}
          sideOffset={8}
          collisionPadding={8}
          className="z-50 max-w-64 animate-fade-in rounded-md bg-ink px-2.5 py-1.5 text-paper text-sm shadow-pop"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
