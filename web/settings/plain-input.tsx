import type { ComponentProps } from 'react'
import { Input } from '../ui/input.tsx'

/** For names of machines and keys: nothing is completed, capitalised or corrected. */
export const PlainInput = (props: ComponentProps<typeof Input>) => (
  <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
)
