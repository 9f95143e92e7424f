import { Check, ChevronDown } from 'lucide-react'
import { Select as Primitive } from 'radix-ui'
import { classes } from './classes.ts'
import { cspNonce } from './csp.ts'
import { floating, floatingItem } from './dropdown-menu.tsx'
import { controlFrame } from './input.tsx'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
}

interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[]
  value: Value | undefined
  onValueChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** One of a few. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, placeholder, disabled = false, ...control } = props
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onValueChange(option.value)
  }
  return (
    <Primitive.Root value={value ?? ''} onValueChange={choose} disabled={disabled}>
      <Primitive.Trigger
        {...control}
        className={classes(
          controlFrame,
          'tap-10 inline-flex items-center justify-between gap-2 px-3 text-left data-[placeholder]:text-muted',
        )}
      >
        <span className="truncate">
          <Primitive.Value placeholder={placeholder} />
        </span>
        <Primitive.Icon>
          <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={6}
          collisionPadding={8}
          className={classes(floating, 'w-(--radix-select-trigger-width)')}
        >
          <Primitive.Viewport nonce={cspNonce} className="max-h-72">
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                className={classes(floatingItem, 'justify-between')}
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator>
                  <Check aria-hidden="true" className="size-4 text-accent-text" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
