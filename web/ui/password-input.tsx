import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { classes } from './classes.ts'
import { Input } from './input.tsx'

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type'> & { id: string }

/** A password that its owner may look at before sending it. */
export function PasswordInput({ className, id, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input
        id={id}
        type={shown ? 'text' : 'password'}
        className={classes('pr-11', className)}
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
      />
      <button
        type="button"
        aria-controls={id}
        aria-pressed={shown}
        // Without the word "password", which would make the field's own label ambiguous.
        aria-label={shown ? 'Hide typed characters' : 'Show typed characters'}
        onClick={() => setShown(!shown)}
        className="-translate-y-1/2 absolute top-1/2 right-0 grid h-full w-11 place-items-center rounded-md text-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  )
}
