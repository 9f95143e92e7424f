import { type ReactNode, useId } from 'react'
import { BODY_MAX } from '../../contract/campaigns.ts'
import { classes } from '../ui/classes.ts'
import { Label } from '../ui/label.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { counted, inWords } from '../ui/words.ts'
import type { Composer } from './use-composer.ts'

/** From here on the limit is worth knowing. */
const NEAR = 0.9

interface MessageFieldProps {
  composer: Composer
  isLocked: boolean
  /** What can be done with the message, at the end of its last line. */
  actions: ReactNode
}

export function MessageField({ composer: { letter, write }, isLocked, actions }: MessageFieldProps) {
  const id = useId()
  const { length } = letter.body
  const isTooLong = length > BODY_MAX
  return (
    <div className="grid gap-1.5">
      <Label htmlFor={id}>Message</Label>
      <Textarea
        id={id}
        dir="auto"
        rows={12}
        className="field-sizing-content max-h-[60dvh] min-h-72"
        aria-describedby={`${id}-count`}
        aria-invalid={isTooLong || undefined}
        value={letter.body}
        readOnly={isLocked}
        onChange={(event) => write({ body: event.target.value })}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p id={`${id}-count`} className={classes('text-sm', isTooLong ? 'text-failed-text' : 'text-muted')}>
          {countOf(length)}
        </p>
        <div className="-mr-3 flex">{actions}</div>
      </div>
      {/* Only what matters is read out while one types. */}
      <p role="status" className="sr-only">
        {length > BODY_MAX * NEAR ? `The limit of ${inWords(BODY_MAX)} characters is near` : ''}
      </p>
    </div>
  )
}

export function countOf(length: number): string {
  if (length > BODY_MAX)
    return `${inWords(length)} characters, ${inWords(length - BODY_MAX)} more than the ${inWords(BODY_MAX)} that can be sent`
  if (length > BODY_MAX * NEAR) return `${inWords(length)} of ${inWords(BODY_MAX)} characters`
  return counted(length, 'character')
}
