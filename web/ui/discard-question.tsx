import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'

interface DiscardQuestionProps {
  question: string
  keepLabel: string
  discardLabel: string
  onKeep: () => void
  onDiscard: () => void
}

/** Stands in a dialog's footer in place of its buttons: an answer is all that is needed, so no second dialog opens. */
export function DiscardQuestion({
  question,
  keepLabel,
  discardLabel,
  onKeep,
  onDiscard,
}: DiscardQuestionProps) {
  const element = useRef<HTMLDivElement>(null)
  // The harmless answer has the focus; with it goes back whoever has it now.
  useEffect(() => {
    const previous = document.activeElement
    element.current?.querySelector('button')?.focus()
    return () => {
      if (previous instanceof HTMLElement && previous.isConnected) previous.focus()
    }
  }, [])
  return (
    <div ref={element} className="flex grow flex-wrap items-center justify-end gap-2">
      <p role="alert" className="mr-auto font-medium">
        {question}
      </p>
      <Button variant="ghost" onClick={onKeep}>
        {keepLabel}
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        {discardLabel}
      </Button>
    </div>
  )
}
