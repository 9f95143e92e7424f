import { Check, Copy } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { useCopy } from './use-copy.ts'

interface CopyFieldProps {
  label: string
  value: string
  hint?: ReactNode
  /** In a narrow place the button stands below, so that the whole value can be read. */
  isNarrow?: boolean
}

/** Something to take elsewhere. It cannot be changed, only read and copied. */
export function CopyField({ label, value, hint, isNarrow = false }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const { copied, copy } = useCopy(field)
  const Icon = copied ? Check : Copy
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className={isNarrow ? 'grid gap-2' : 'flex gap-2'}>
          <Input
            {...control}
            ref={field}
            value={value}
            readOnly
            className="min-w-0 grow truncate read-only:bg-sunken"
            onFocus={(event) => event.target.select()}
          />
          <Button size="field" className="w-26 shrink-0" onClick={() => void copy()}>
            <Icon aria-hidden="true" className={copied ? 'size-4 text-delivered-text' : 'size-4'} />
            <span>
              {copied ? 'Copied' : 'Copy'}
              <span className="sr-only"> {label}</span>
            </span>
          </Button>
          <span role="status" className="sr-only">
            {copied ? 'Copied' : ''}
          </span>
        </div>
      )}
    </Field>
  )
}
