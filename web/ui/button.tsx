import { Slot } from 'radix-ui'
import { type ComponentProps, type Ref, useCallback, useRef } from 'react'
import { classes } from './classes.ts'
import type { NextFocus } from './next-focus.ts'
import { ignoreHeldKey } from './press.ts'
import { Spinner } from './spinner.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
/** `field` stands beside a field and is as high. */
type ButtonSize = 'sm' | 'md' | 'field' | 'lg' | 'icon'

const look: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong',
  secondary: 'border border-line bg-card text-ink shadow-lift hover:bg-hover active:bg-hover',
  ghost: 'text-soft hover:bg-hover hover:text-ink active:bg-hover',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong active:bg-danger-strong',
}

/** Faded, the accent would still be the loudest thing on a screen that asks for something else first. */
const NOT_YET = 'bg-hover text-muted'

const measure: Record<ButtonSize, string> = {
  sm: 'tap-8 px-3 text-sm',
  md: 'tap-9 px-3.5 text-base',
  field: 'tap-10 px-3.5 text-base',
  lg: 'h-11 px-5 text-base',
  icon: 'tap-square-9 shrink-0',
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'ref'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Work is under way: the button is disabled and shows `pendingText` in place of its words. */
  pending?: boolean | undefined
  pendingText?: string
  /** Where the keyboard goes on when the button had it, and is gone or stays disabled. */
  returnFocusTo?: NextFocus
  /** Dresses the single child, usually a link, as a button. */
  asChild?: boolean
  /** Of what it opens, such as a dialog, which holds it as well. */
  ref?: Ref<HTMLButtonElement>
}

/** A verb the user can press. One `primary` per screen. */
export function Button({
  variant = 'secondary',
  size = 'md',
  pending = false,
  pendingText,
  returnFocusTo,
  asChild = false,
  disabled,
  className,
  children,
  type = 'button',
  onKeyDown,
  ref,
  ...rest
}: ButtonProps) {
  const element = useRef<HTMLButtonElement>(null)
  const hold = useCallback(
    (button: HTMLButtonElement | null) => {
      element.current = button
      if (typeof ref === 'function') return ref(button)
      if (ref) ref.current = button
    },
    [ref],
  )
  const isDisabled = Boolean(disabled || pending)
  useKeptFocus(element, { isDisabled, isPending: pending, next: returnFocusTo })
  const isNotYet = isDisabled && !pending && variant === 'primary'
  const dress = classes(
    'inline-flex select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors',
    'disabled:cursor-not-allowed',
    isNotYet ? NOT_YET : look[variant],
    !isNotYet && 'disabled:opacity-55',
    measure[size],
    className,
  )
  if (asChild) {
    return (
      <Slot.Root ref={ref} className={dress} onKeyDown={onKeyDown} {...rest}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button
      ref={hold}
      type={type}
      className={dress}
      disabled={isDisabled}
      aria-busy={pending || undefined}
      onKeyDown={(event) => {
        ignoreHeldKey(event)
        onKeyDown?.(event)
      }}
      {...rest}
    >
      {pending ? (
        <>
          <Spinner className="size-4" />
          {pendingText ?? children}
        </>
      ) : (
        children
      )}
    </button>
  )
}
