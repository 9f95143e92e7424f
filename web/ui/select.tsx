import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlFrame } from './input.tsx'

interface SelectOption<Value extends string> {
  value: Value
  label: string
}

type SelectProps<Value extends string> = Omit<
  ComponentProps<'select'>,
  'value' | 'onChange' | 'children' | 'multiple' | 'size'
> & {
  options: readonly SelectOption<Value>[]
  value: Value | undefined
  onValueChange: (value: Value) => void
  /** Shown until something is chosen; it cannot be chosen itself. */
  placeholder?: string
}

/**
 * One of a few. The browser's own element and the only part not on a Radix primitive: phones open their wheel for
 * it, and while it is open the page behind stays readable to a screen reader, which Radix's list hides. Where the
 * browser allows, parts.css draws its list like our menus.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, placeholder, className, ...rest } = props
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onValueChange(option.value)
  }
  return (
    <div className="relative">
      <select
        value={value ?? ''}
        onChange={(event) => choose(event.target.value)}
        className={classes(
          controlFrame,
          'select tap-10 truncate pr-9 pl-3',
          !value && 'text-muted',
          className,
        )}
        {...rest}
      >
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3 size-4 text-muted"
      />
    </div>
  )
}
