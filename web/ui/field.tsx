import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Label } from './label.tsx'

/** What a control needs so that its label, hint and error are read out with it. */
interface FieldControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** The keyboard stays where it is when the error comes, so it has to be said. */
  saysError?: boolean
  /** Something small at the end of the label's line, such as a link. */
  aside?: ReactNode
  children: (control: FieldControlProps) => ReactNode
}

/** Label above, control, and below it a hint that an error replaces. */
export function Field({ label, hint, error, saysError = false, aside, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = Boolean(error || hint)
  return (
    <div className="relative grid gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {/* After the control in the order of Tab, which leads from field to field. */}
      {aside && <span className="absolute top-0 right-0 text-sm">{aside}</span>}
      {error ? (
        <p
          id={noteId}
          role={saysError ? 'alert' : undefined}
          className="flex items-start gap-1.5 text-failed-text text-sm"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={noteId} className="text-muted text-sm">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
