import { type ComponentProps, useState } from 'react'
import { Input } from '../ui/input.tsx'
import { isYearBegun } from './history-filter.ts'

/** Keeps the browser from taking years of six digits. */
const LAST_DAY = '9999-12-31'

interface DayInputProps extends ComponentProps<'input'> {
  day: string | null
  onDay: (day: string | null) => void
}

/** A day takes effect at once, but one whose year is still being typed only when the field is left with it. */
export function DayInput({ day, onDay, ...rest }: DayInputProps) {
  const [begun, setBegun] = useState<string | null>(null)
  return (
    <Input
      {...rest}
      type="date"
      max={LAST_DAY}
      value={begun ?? day ?? ''}
      onChange={({ target: { value } }) => {
        setBegun(isYearBegun(value) ? value : null)
        if (!isYearBegun(value)) onDay(value || null)
      }}
      onBlur={() => {
        if (begun === null) return
        setBegun(null)
        onDay(begun)
      }}
    />
  )
}
