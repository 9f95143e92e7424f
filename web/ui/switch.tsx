import { Switch as Primitive } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { Label } from './label.tsx'

interface SwitchProps {
  label: string
  /** What it means to switch it on. */
  hint: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

/** Yes or no, with the words to its right; the button is a finger wide, the track inside it is not. */
export function Switch({ label, hint, ...state }: SwitchProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="flex items-start gap-2">
      <Primitive.Root
        id={id}
        aria-describedby={hintId}
        className="group -my-3 -ml-1 grid size-11 shrink-0 place-items-center rounded-md disabled:cursor-not-allowed disabled:opacity-55"
        {...state}
      >
        <span className="flex h-5 w-9 items-center rounded-full border border-control bg-sunken p-0.5 transition-colors group-data-[state=checked]:border-ink group-data-[state=checked]:bg-ink">
          <Primitive.Thumb className="block size-3.5 rounded-full bg-control transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-card" />
        </span>
      </Primitive.Root>
      <div className="grid gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        <p id={hintId} className="text-pretty text-muted text-sm">
          {hint}
        </p>
      </div>
    </div>
  )
}
