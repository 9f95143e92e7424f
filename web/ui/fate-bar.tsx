import { Popover } from 'radix-ui'
import { useState } from 'react'
import { classes } from './classes.ts'
import { floating } from './dropdown-menu.tsx'
import type { Fate } from './fate.ts'
import { solidTone, type Tone } from './tones.ts'
import { inWords } from './words.ts'

type Part = { key: keyof Fate; name: string; fill: string }

const part = (key: keyof Fate, name: string, tone: Tone): Part => ({ key, name, fill: solidTone[tone] })

export const fateParts: readonly Part[] = [
  part('accepted', 'Accepted', 'delivered'),
  part('failed', 'Failed', 'failed'),
  part('unconfirmed', 'Unconfirmed', 'unconfirmed'),
  part('waiting', 'Waiting', 'pending'),
  part('cancelled', 'Cancelled', 'cancelled'),
  part('suppressed', 'Left out', 'leftOut'),
]

const BASIC = 4

/** One thin stacked bar, `thick` on a page of its own. Hover, tap or Enter opens the counts behind it. */
export function FateBar({ fate, thick = false }: { fate: Fate; thick?: boolean }) {
  const [open, setOpen] = useState(false)
  const countOf = ({ key }: Part): number => fate[key] ?? 0
  const present = fateParts.filter((part) => countOf(part) > 0)
  const listed = fateParts.filter((part, index) => index < BASIC || countOf(part) > 0)
  const total = fateParts.reduce((sum, part) => sum + countOf(part), 0)
  const words = present.map((part) => `${inWords(countOf(part))} ${part.name.toLowerCase()}`)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={total > 0 ? words.join(', ') : 'No recipients'}
        onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
        className="tap-5 flex w-full items-center rounded-sm"
      >
        <span
          className={classes(
            'flex w-full gap-px overflow-hidden rounded-full bg-hover',
            thick ? 'h-3' : 'h-1.5',
          )}
        >
          {present.map((part) => (
            <span
              key={part.key}
              // One failure among a million still shows.
              className={classes('min-w-1 transition-[flex-grow] duration-150', part.fill)}
              style={{ flexGrow: countOf(part), flexBasis: 0 }}
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
          onCloseAutoFocus={(event) => event.preventDefault()}
          className={classes(floating, 'p-3')}
        >
          <dl className="grid gap-1.5 text-sm">
            {listed.map((part) => (
              <div key={part.key} className="flex items-center gap-2">
                <span aria-hidden="true" className={classes('size-2 rounded-full', part.fill)} />
                <dt className="text-soft">{part.name}</dt>
                <dd className="ml-auto pl-6 font-medium">{inWords(countOf(part))}</dd>
              </div>
            ))}
            <div className="flex border-line border-t pt-1.5">
              <dt className="text-soft">All</dt>
              <dd className="ml-auto font-semibold">{inWords(total)}</dd>
            </div>
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
