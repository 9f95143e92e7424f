import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

/** What remains of typed or pasted text: "123 456" or "Code: 123456" give six digits. */
export function digitsOf(text: string, length: number): string {
  return text.replace(/\D/g, '').slice(0, length)
}

type CodeInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  length: number
  value: string
  onValueChange: (digits: string) => void
}

/**
 * One real input that only looks like six: caret, selection, undo, paste and the phone's offer to fill in the code
 * all behave as everywhere else. No maxLength, which would cut a pasted "123 456" before the space is removed.
 */
export function CodeInput({ length, value, onValueChange, className, ...rest }: CodeInputProps) {
  return (
    <div className={classes('code-frame', className)}>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]*"
        value={value}
        onChange={(event) => onValueChange(digitsOf(event.target.value, length))}
        className="code-digits"
        {...rest}
      />
    </div>
  )
}
