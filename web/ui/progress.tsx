import { Progress as Primitive } from 'radix-ui'
import { useId } from 'react'

interface ProgressProps {
  label: string
  value: number
  max: number
  /** The same in words, for example "1,204 of 5,000 accepted". */
  words: string
}

/** A bar with words beside it: how far, and of what. */
export function Progress({ label, value, max, words }: ProgressProps) {
  const id = useId()
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span id={id} className="font-medium">
          {label}
        </span>
        <span className="text-muted">{words}</span>
      </div>
      <Primitive.Root
        aria-labelledby={id}
        value={share * 100}
        getValueLabel={() => words}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <Primitive.Indicator
          className="h-full origin-left rounded-full bg-pending transition-transform duration-150"
          style={{ transform: `scaleX(${share})` }}
        />
      </Primitive.Root>
    </div>
  )
}
