import { Popover } from 'radix-ui'
import { useState } from 'react'
import { classes } from './classes.ts'
import { floating } from './dropdown-menu.tsx'
import { solidTone, type Tone } from './tones.ts'

/** What became of a campaign's recipients; the counts add up to all of them. */
export interface Fate {
  accepted: number
  failed: number
  unconfirmed: number
  waiting: number
}

const parts: readonly { key: keyof Fate; name: string; tone: Tone }[] = [
  { key: 'accepted', name: 'Accepted', tone: 'delivered' },
  { key: 'failed', name: 'Failed', tone: 'failed' },
  { key: 'unconfirmed', name: 'Unconfirmed', tone: 'unconfirmed' },
  { key: 'waiting', name: 'Waiting', tone: 'pending' },
]

const number = new Intl.NumberFormat('en-US')

/** One thin stacked bar. Hover, tap or Enter opens the counts behind it. */
export function FateBar({ fate }: { fate: Fate }) {
  const [open, setOpen] = useState(false)
  const present = parts.filter((part) => fate[part.key] > 0)
  const total = parts.reduce((sum, part) => sum + fate[part.key], 0)
  const words = present.map((part) => `${number.format(fate[part.key])} ${part.name.toLowerCase()}`)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={total > 0 ? words.join(', ') : 'No recipients'}
        onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
        className="tap-5 flex w-full items-center rounded-sm"
      >
        <span className="flex h-1.5 w-full gap-px overflow-hidden rounded-full bg-hover">
          {present.map((part) => (
            <span
              key={part.key}
              // One failure among a million still shows.
              className={classes('min-w-1', solidTone[part.tone])}
              style={{ flexGrow: fate[part.key], flexBasis: 0 }}
            />
          ))}
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="What became of the recipients"
          // The pointer only passes by: focus stays where it was.
          onOpenAutoFocus={(event) => event.preventDefault()}
          className={classes(floating, 'p-3')}
        >
          <dl className="grid gap-1.5 text-sm">
            {parts.map((part) => (
              <div key={part.key} className="flex items-center gap-2">
                <span aria-hidden="true" className={classes('size-2 rounded-full', solidTone[part.tone])} />
                <dt className="text-soft">{part.name}</dt>
                <dd className="ml-auto pl-6 font-medium">{number.format(fate[part.key])}</dd>
              </div>
            ))}
            <div className="flex border-line border-t pt-1.5">
              <dt className="text-soft">All</dt>
              <dd className="ml-auto font-semibold">{number.format(total)}</dd>
            </div>
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
