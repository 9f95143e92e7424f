import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'

interface DeleteQuestionProps {
  name: string
  onDelete: () => void
  onKeep: () => void
}

/**
 * Asked on the card itself, whose name stands above. The harmless answer has the focus, and lies where the pointer
 * still is, so that a second click by mistake keeps everything.
 */
export function DeleteQuestion({ name, onDelete, onKeep }: DeleteQuestionProps) {
  const question = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    question.current?.querySelector<HTMLElement>('[data-keep]')?.focus()
  }, [])
  return (
    <fieldset
      ref={question}
      aria-label={`Delete ${name}?`}
      className="flex min-w-0 grow items-center gap-1"
      onKeyDown={(event) => event.key === 'Escape' && onKeep()}
    >
      <p aria-hidden="true" className="mr-auto pl-2 font-medium">
        Delete it?
      </p>
      <Button variant="danger" onClick={onDelete}>
        Delete
      </Button>
      <Button variant="ghost" data-keep onClick={onKeep}>
        Keep
      </Button>
    </fieldset>
  )
}
