import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { onFirstClick } from '../ui/press.ts'

interface DeleteQuestionProps {
  name: string
  onDelete: () => void
  onKeep: () => void
}

/** Asked on the card itself. The harmless answer has the focus; the other stands last, as in every question. */
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
      <p aria-hidden="true" title={name} className="mr-auto flex min-w-0 pl-2 font-medium">
        <span className="truncate">Delete “{name}</span>”?
      </p>
      <Button variant="ghost" data-keep onClick={onKeep}>
        Keep
      </Button>
      {/* It lies where the pointer still is: the second click of a double one is no answer. */}
      <Button variant="danger" onClick={onFirstClick(onDelete)}>
        Delete
      </Button>
    </fieldset>
  )
}
