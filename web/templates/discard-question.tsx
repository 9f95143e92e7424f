import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'

interface DiscardQuestionProps {
  onKeep: () => void
  onDiscard: () => void
}

/** Stands in the footer in place of its buttons: an answer is all that is needed, so no second dialog opens. */
export function DiscardQuestion({ onKeep, onDiscard }: DiscardQuestionProps) {
  const question = useRef<HTMLDivElement>(null)
  // The harmless answer has the focus; with it goes back whoever has it now.
  useEffect(() => {
    const previous = document.activeElement
    question.current?.querySelector('button')?.focus()
    return () => {
      if (previous instanceof HTMLElement && previous.isConnected) previous.focus()
    }
  }, [])
  return (
    <div ref={question} className="flex grow flex-wrap items-center justify-end gap-2">
      <p role="alert" className="mr-auto font-medium">
        Discard what you have written?
      </p>
      <Button variant="ghost" onClick={onKeep}>
        Keep writing
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  )
}
