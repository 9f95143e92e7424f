import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { softTone, solidTone, type Tone } from './tones.ts'

/** A state in a word. The dot repeats the colour, the word carries the meaning. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs',
        softTone[tone],
      )}
    >
      <span aria-hidden="true" className={classes('size-1.5 rounded-full', solidTone[tone])} />
      {children}
    </span>
  )
}
