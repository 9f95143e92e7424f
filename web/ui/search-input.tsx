import { Search, X } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { classes } from './classes.ts'
import { Input } from './input.tsx'

interface SearchInputProps {
  /** What is searched, for screen readers: the magnifying glass says it to the eye. */
  label: string
  placeholder: string
  value: string
  onValueChange: (value: string) => void
  maxLength?: number
  className?: string
  /** For whoever has to give it the keyboard. */
  box?: RefObject<HTMLInputElement | null>
}

/** A search box that can be emptied with a press, or with Escape. */
export function SearchInput({ label, value, onValueChange, className, box, ...rest }: SearchInputProps) {
  const own = useRef<HTMLInputElement>(null)
  const input = box ?? own
  const empty = () => {
    onValueChange('')
    input.current?.focus()
  }
  return (
    <search className={classes('relative', className)}>
      <Search
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-4 text-muted"
      />
      <Input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.preventDefault()
          empty()
        }}
        className="pr-11 pl-9"
        {...rest}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={empty}
          className="tap-square-8 -translate-y-1/2 absolute top-1/2 right-0 grid place-items-center rounded-md text-muted hover:text-ink md:right-1"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </search>
  )
}
